"""CMS place of service codes, with our own short labels."""

from datetime import date

PLACES_OF_SERVICE: dict[str, str] = {
    "01": "pharmacy",
    "02": "telehealth, patient not at home",
    "03": "school",
    "04": "homeless shelter",
    "05": "Indian Health Service, free-standing",
    "06": "Indian Health Service, provider-based",
    "07": "tribal 638, free-standing",
    "08": "tribal 638, provider-based",
    "09": "prison",
    "10": "telehealth, patient at home",
    "11": "office",
    "12": "patient's home",
    "13": "assisted living",
    "14": "group home",
    "15": "mobile unit",
    "16": "temporary lodging",
    "17": "walk-in retail clinic",
    "18": "worksite",
    "19": "off-campus outpatient hospital",
    "20": "urgent care",
    "21": "inpatient hospital",
    "22": "on-campus outpatient hospital",
    "23": "emergency room",
    "24": "ambulatory surgical center",
    "25": "birthing center",
    "26": "military treatment facility",
    "27": "outreach site or street",
    "31": "skilled nursing facility",
    "32": "nursing facility",
    "33": "custodial care",
    "34": "hospice",
    "41": "ambulance on land",
    "42": "ambulance by air or water",
    "49": "independent clinic",
    "50": "federally qualified health center",
    "51": "inpatient psychiatric facility",
    "52": "psychiatric facility, partial hospitalization",
    "53": "community mental health center",
    "54": "facility for intellectual disabilities",
    "55": "residential substance use facility",
    "56": "psychiatric residential center",
    "57": "non-residential substance use facility",
    "58": "non-residential opioid treatment",
    "60": "mass immunization center",
    "61": "inpatient rehabilitation",
    "62": "outpatient rehabilitation",
    "65": "kidney disease treatment",
    "66": "all-inclusive care for the elderly (PACE)",
    "71": "public health clinic",
    "72": "rural health clinic",
    "81": "independent laboratory",
    "99": "other place",
}

OFFICE = "11"
TELEHEALTH, TELEHEALTH_AT_HOME = "02", "10"
TELEHEALTH_PLACES = frozenset({TELEHEALTH, TELEHEALTH_AT_HOME})
AT_HOME_SINCE = date(2022, 1, 1)
"""The first day of 10; until then 02 meant telehealth wherever the patient was."""
