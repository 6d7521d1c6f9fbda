"""A site with Flask: https://docs.authlib.org/en/stable/client/flask.html"""

from threading import Thread

from authlib.integrations.flask_client import OAuth
from flask import Flask, redirect, session, url_for
from werkzeug.serving import make_server

from report import BASE_URL, OWN_URL, check, register, step, visit


def log_in_and_out():
    client = register(
        client_name="Site",
        redirect_uris=[f"{OWN_URL}/authorize"],
        post_logout_redirect_uris=[f"{OWN_URL}/"],
        scope="openid profile email",
    )
    host, port = OWN_URL.removeprefix("http://").split(":")
    server = make_server(host, int(port), site(client))
    Thread(target=server.serve_forever, daemon=True).start()
    with step("Flask: login"):
        page = visit(f"{OWN_URL}/login", session="site")
        check(page["text"] == "logged in as alice", page)
    with step("Flask: logout"):
        page = visit(f"{OWN_URL}/logout", session="site")
        check(page["text"] == "logged out" and page["url"].startswith(f"{OWN_URL}/"), page)
    server.shutdown()


def site(client):
    app = Flask(__name__)
    app.secret_key = "of this run alone"
    oauth = OAuth(app)
    oauth.register(
        "vestibule",
        client_id=client["client_id"],
        client_secret=client["client_secret"],
        server_metadata_url=f"{BASE_URL}/.well-known/openid-configuration",
        client_kwargs={"scope": "openid profile email"},
    )

    @app.get("/")
    def home():
        user = session.get("user")
        return f"logged in as {user['sub']}" if user else "logged out"

    @app.get("/login")
    def login():
        return oauth.vestibule.authorize_redirect(url_for("authorize", _external=True))

    @app.get("/authorize")
    def authorize():
        token = oauth.vestibule.authorize_access_token()
        session["user"] = {"sub": token["userinfo"]["sub"]}
        session["id_token"] = token["id_token"]
        return redirect("/")

    @app.get("/logout")
    def logout():
        id_token = session.pop("id_token")
        session.clear()
        return oauth.vestibule.logout_redirect(
            post_logout_redirect_uri=url_for("home", _external=True), id_token_hint=id_token
        )

    return app
