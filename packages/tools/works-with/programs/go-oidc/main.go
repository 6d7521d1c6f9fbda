// Runs the examples of go-oidc and golang.org/x/oauth2: a login with PKCE, the UserInfo endpoint, a refresh, the client
// credentials grant, and a logout that the back channel notifies of.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

const patience = 10 * time.Second

func main() {
	ctx := context.Background()
	base := "http://127.0.0.1:" + os.Getenv("PORT")
	reportVersion("github.com/coreos/go-oidc/v3")

	registered, err := register(map[string]any{
		"client_name":               "go-oidc",
		"redirect_uris":             []string{base + "/callback"},
		"post_logout_redirect_uris": []string{base + "/goodbye"},
		"backchannel_logout_uri":    base + "/logout",
		"grant_types":               []string{"authorization_code", "refresh_token", "client_credentials"},
		"scope":                     "openid profile email offline_access read",
	})
	if err != nil {
		log.Fatal(err)
	}

	var provider *oidc.Provider
	step("discovery", func() error {
		provider, err = oidc.NewProvider(ctx, os.Getenv("BASE_URL"))
		return err
	})
	if provider == nil {
		os.Exit(1)
	}
	party := newRelyingParty(provider, registered, base)
	go func() { log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), party.routes())) }()

	var user login
	step("login (code, PKCE)", func() error {
		ended, err := visit(base + "/")
		if err != nil {
			return err
		}
		if user = party.login(); user.tokens == nil {
			return fmt.Errorf("the browser ended at %s: %s", ended.URL, ended.Text)
		}
		return user.err
	})
	step("userinfo", func() error { return userInfo(ctx, provider, user) })
	step("refresh", func() error { return refresh(ctx, party.config, user) })
	step("client_credentials", func() error {
		config := clientcredentials.Config{
			ClientID:     registered.ID,
			ClientSecret: registered.Secret,
			TokenURL:     provider.Endpoint().TokenURL,
			Scopes:       []string{"read"},
		}
		_, err := config.Token(ctx)
		return err
	})
	step("logout", func() error {
		address, err := party.logoutURL(user.rawIDToken)
		if err != nil {
			return err
		}
		ended, err := visit(address)
		if err == nil && ended.URL != base+"/goodbye" {
			err = fmt.Errorf("the browser ended at %s: %s", ended.URL, ended.Text)
		}
		return err
	})
	step("back-channel logout", func() error {
		select {
		case token := <-party.logouts:
			if token.err == nil && token.subject != user.subject {
				return fmt.Errorf("sub is %s", token.subject)
			}
			return token.err
		case <-time.After(patience):
			return errors.New("no logout token came")
		}
	})
}

func userInfo(ctx context.Context, provider *oidc.Provider, login login) error {
	if login.tokens == nil {
		return errors.New("there was no login")
	}
	info, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(login.tokens))
	if err == nil && info.Subject != login.subject {
		err = fmt.Errorf("sub is %s", info.Subject)
	}
	return err
}

// refresh lets the token source find an access token that has expired.
func refresh(ctx context.Context, config oauth2.Config, login login) error {
	if login.tokens == nil || login.tokens.RefreshToken == "" {
		return errors.New("there is no refresh token")
	}
	expired := *login.tokens
	expired.Expiry = time.Now().Add(-time.Minute)
	renewed, err := config.TokenSource(ctx, &expired).Token()
	if err == nil && renewed.AccessToken == expired.AccessToken {
		err = errors.New("the access token is the same")
	}
	return err
}
