"""How the partners' interface is parsed, answered and described: no setting of the operator."""

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["partners.auth.ApiKeyAuthentication"],
    "DEFAULT_PERMISSION_CLASSES": ["partners.auth.IsPartner"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "partners.api.errors.answer_error",
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "partners.api.rendering.AlwaysJson",
    "URL_FORMAT_OVERRIDE": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Partner Billing Service",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_AUTHENTICATION": [],
    "SERVE_PERMISSIONS": [],
    "POSTPROCESSING_HOOKS": ["partners.api.description.finish", "config.guide.introduce"],
    "SCHEMA_PATH_PREFIX": "/api/v1/partner",
    "COMPONENT_SPLIT_REQUEST": False,
    "COMPONENT_SPLIT_PATCH": False,
    "SERVERS": [{"url": "/"}],
    "SWAGGER_UI_SETTINGS": {"persistAuthorization": False, "displayRequestDuration": True},
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}
