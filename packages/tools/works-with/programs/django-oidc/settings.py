"""A Django site with mozilla-django-oidc: https://mozilla-django-oidc.readthedocs.io/en/stable/installation.html"""

import json
import os
from urllib.parse import urlencode

BASE_URL = os.environ["BASE_URL"]

SECRET_KEY = "of this run alone"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "urls"
DEBUG = True
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": "site.sqlite3"}}
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.auth",
    "mozilla_django_oidc",
]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
]
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "mozilla_django_oidc.auth.OIDCAuthenticationBackend",
]
LOGGING = {
    "version": 1,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"mozilla_django_oidc": {"handlers": ["console"], "level": "DEBUG"}},
}

OIDC_RP_CLIENT_ID = os.environ["OIDC_RP_CLIENT_ID"]
OIDC_RP_CLIENT_SECRET = os.environ["OIDC_RP_CLIENT_SECRET"]
OIDC_OP_AUTHORIZATION_ENDPOINT = f"{BASE_URL}/authorize"
OIDC_OP_TOKEN_ENDPOINT = f"{BASE_URL}/token"
OIDC_OP_USER_ENDPOINT = f"{BASE_URL}/userinfo"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = f"http://127.0.0.1:{os.environ['PORT']}/"

# What the documentation has for logging out at the provider too.
OIDC_STORE_ID_TOKEN = True
OIDC_OP_LOGOUT_URL_METHOD = "settings.provider_logout"
ALLOW_LOGOUT_GET_METHOD = True

globals().update(json.loads(os.environ["OIDC_SETTINGS"]))


def provider_logout(request):
    query = {
        "id_token_hint": request.session["oidc_id_token"],
        "post_logout_redirect_uri": LOGOUT_REDIRECT_URL,
    }
    return f"{BASE_URL}/logout?{urlencode(query)}"
