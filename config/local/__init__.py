"""What `make run` and `make test` need around the service: private servers, the runner, the demonstration."""
