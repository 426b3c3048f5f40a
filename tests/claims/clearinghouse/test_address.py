"""Gateways may not be pointed at the inside of the network."""

import pytest

from claims.clearinghouse.address import GatewayAddressError, check_gateway_address


def check(url: str, *addresses: str, allow_private: bool = False) -> None:
    check_gateway_address(url, allow_private=allow_private, resolve=lambda host, port: addresses)


def test_a_public_address_passes() -> None:
    check("https://clearinghouse.example/path", "93.184.216.34", "2606:2800:220:1::1")


def test_sftp_passes() -> None:
    check("sftp://clearinghouse.example:2222", "93.184.216.34")


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "255.255.255.255",
        "::1",
        "::",
        "fc00::1",
        "fe80::1%eth0",
        "ff02::1",
        "::ffff:10.0.0.1",
        "2002:a00:1::",
        "64:ff9b::a00:1",
        "64:ff9b:1::a00:1",
    ],
)
def test_an_address_of_ours_is_refused(address: str) -> None:
    with pytest.raises(GatewayAddressError, match="public"):
        check("https://clearinghouse.example", "93.184.216.34", address)


@pytest.mark.parametrize(
    "url",
    [
        "http://clearinghouse.example",
        "ftp://clearinghouse.example",
        "file:///etc/passwd",
        "clearinghouse.example",
        "",
        "https://",
        "https://user:secret@clearinghouse.example",
        "https://user@clearinghouse.example",
        "https://clearinghouse.example?to=elsewhere",
        "https://clearinghouse.example#part",
        "https://clearinghouse.example:99999",
        "https://clearinghouse.example:port",
    ],
)
def test_an_odd_address_is_refused(url: str) -> None:
    with pytest.raises(GatewayAddressError) as refusal:
        check(url, "93.184.216.34")
    assert "secret" not in str(refusal.value)


def test_in_development_a_server_of_our_own_will_do() -> None:
    check("http://127.0.0.1:8001/stedi", allow_private=True)


def test_even_then_only_the_known_schemes_pass() -> None:
    with pytest.raises(GatewayAddressError):
        check("gopher://127.0.0.1", allow_private=True)


def test_numbers_written_oddly_are_resolved_before_they_are_judged() -> None:
    with pytest.raises((GatewayAddressError, OSError)):
        check_gateway_address("https://0x7f000001", allow_private=False)


@pytest.mark.parametrize(
    "url", ["https://clearing..house.example", f"https://{'x' * 64}.example", "https://[2606"]
)
def test_a_host_that_no_name_can_be_is_refused(url: str) -> None:
    with pytest.raises(GatewayAddressError, match="host"):
        check_gateway_address(url, allow_private=False)
