from django.http import HttpResponse
from django.urls import include, path


def home(request):
    user = request.user
    return HttpResponse(f"logged in as {user.email}" if user.is_authenticated else "logged out")


urlpatterns = [path("", home), path("oidc/", include("mozilla_django_oidc.urls"))]
