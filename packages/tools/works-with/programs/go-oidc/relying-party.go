package main

import (
	"errors"
	"net/http"
	"net/url"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// login is what the callback of the example has after a login.
type login struct {
	tokens     *oauth2.Token
	rawIDToken string
	subject    string
	err        error
}

// logoutReceipt is a verified logout token, or why it is none.
type logoutReceipt struct {
	subject string
	err     error
}

// relyingParty is the web application of the library's examples.
type relyingParty struct {
	provider *oidc.Provider
	verifier *oidc.IDTokenVerifier
	config   oauth2.Config
	base     string
	logouts  chan logoutReceipt
	lock     sync.Mutex
	last     login
}

func newRelyingParty(provider *oidc.Provider, registered client, base string) *relyingParty {
	return &relyingParty{
		provider: provider,
		verifier: provider.Verifier(&oidc.Config{ClientID: registered.ID}),
		config: oauth2.Config{
			ClientID:     registered.ID,
			ClientSecret: registered.Secret,
			Endpoint:     provider.Endpoint(),
			RedirectURL:  base + "/callback",
			Scopes:       []string{oidc.ScopeOpenID, "profile", "email", oidc.ScopeOfflineAccess},
		},
		base:    base,
		logouts: make(chan logoutReceipt, 1),
	}
}

func (party *relyingParty) login() login {
	party.lock.Lock()
	defer party.lock.Unlock()
	return party.last
}

func (party *relyingParty) routes() http.Handler {
	routes := http.NewServeMux()
	routes.HandleFunc("GET /{$}", party.start)
	routes.HandleFunc("GET /callback", party.callback)
	routes.HandleFunc("POST /logout", party.receiveLogout)
	routes.HandleFunc("GET /goodbye", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) })
	return routes
}

func (party *relyingParty) start(w http.ResponseWriter, r *http.Request) {
	state, nonce, verifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
	for name, value := range map[string]string{"state": state, "nonce": nonce, "verifier": verifier} {
		http.SetCookie(w, &http.Cookie{Name: name, Value: value, HttpOnly: true})
	}
	address := party.config.AuthCodeURL(
		state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(verifier), oauth2.AccessTypeOffline, oauth2.ApprovalForce,
	)
	http.Redirect(w, r, address, http.StatusFound)
}

func (party *relyingParty) callback(w http.ResponseWriter, r *http.Request) {
	done := party.exchange(r)
	party.lock.Lock()
	party.last = done
	party.lock.Unlock()
	if done.err != nil {
		http.Error(w, done.err.Error(), http.StatusInternalServerError)
	}
}

func (party *relyingParty) exchange(r *http.Request) (done login) {
	if r.URL.Query().Get("state") != cookie(r, "state") {
		return login{err: errors.New("state did not match")}
	}
	code := r.URL.Query().Get("code")
	done.tokens, done.err = party.config.Exchange(r.Context(), code, oauth2.VerifierOption(cookie(r, "verifier")))
	if done.err != nil {
		return done
	}
	done.rawIDToken, _ = done.tokens.Extra("id_token").(string)
	idToken, err := party.verifier.Verify(r.Context(), done.rawIDToken)
	if err != nil {
		done.err = err
		return done
	}
	done.subject = idToken.Subject
	if idToken.Nonce != cookie(r, "nonce") {
		done.err = errors.New("nonce did not match")
	} else if idToken.AccessTokenHash != "" {
		done.err = idToken.VerifyAccessToken(done.tokens.AccessToken)
	}
	return done
}

func (party *relyingParty) receiveLogout(w http.ResponseWriter, r *http.Request) {
	token, err := party.verifier.VerifyLogout(r.Context(), r.PostFormValue("logout_token"))
	if err != nil {
		party.logouts <- logoutReceipt{err: err}
		http.Error(w, "Invalid logout token", http.StatusBadRequest)
		return
	}
	party.logouts <- logoutReceipt{subject: token.Subject}
	w.WriteHeader(http.StatusNoContent)
}

func (party *relyingParty) logoutURL(rawIDToken string) (string, error) {
	var metadata struct {
		EndSessionEndpoint string `json:"end_session_endpoint"`
	}
	if err := party.provider.Claims(&metadata); err != nil {
		return "", err
	}
	address, err := url.Parse(metadata.EndSessionEndpoint)
	if err != nil {
		return "", err
	}
	address.RawQuery = url.Values{
		"id_token_hint":            {rawIDToken},
		"post_logout_redirect_uri": {party.base + "/goodbye"},
	}.Encode()
	return address.String(), nil
}

func cookie(r *http.Request, name string) string {
	found, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return found.Value
}
