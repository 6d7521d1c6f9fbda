package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/google/uuid"
	oidcclient "github.com/zitadel/oidc/v3/pkg/client"
	"github.com/zitadel/oidc/v3/pkg/client/rp"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
	"golang.org/x/oauth2"
)

var cookieKey = []byte("test1234test1234")

// login is a relying party and what its callback was handed.
type login struct {
	party  rp.RelyingParty
	tokens *oidc.Tokens[*oidc.IDTokenClaims]
}

// relyingPartySteps runs the example `client/app` for a client of this authentication method.
func relyingPartySteps(ctx context.Context, method string, key keyPair) *login {
	done := &login{}
	step("discovery ("+method+")", func() (err error) {
		done.party, err = newRelyingParty(ctx, method, key)
		return err
	})
	if done.party == nil {
		return done
	}
	step("login with userinfo (code, PKCE, "+method+")", func() error { return done.logIn(method) })
	step("refresh ("+method+")", func() error { return done.refresh(ctx) })
	if method == "private_key_jwt" {
		return done
	}
	step("client_credentials", func() error {
		_, err := rp.ClientCredentials(ctx, done.party, nil)
		return err
	})
	return done
}

func newRelyingParty(ctx context.Context, method string, key keyPair) (rp.RelyingParty, error) {
	metadata := map[string]any{
		"client_name":                "zitadel/oidc " + method,
		"redirect_uris":              []string{base + "/auth/callback/" + method},
		"post_logout_redirect_uris":  []string{base + "/goodbye"},
		"grant_types":                []string{"authorization_code", "refresh_token", "client_credentials"},
		"scope":                      "openid profile",
		"token_endpoint_auth_method": method,
	}
	cookies := httphelper.NewCookieHandler(cookieKey, cookieKey, httphelper.WithUnsecure())
	options := []rp.Option{
		rp.WithCookieHandler(cookies),
		rp.WithVerifierOpts(rp.WithIssuedAtOffset(5 * time.Second)),
		rp.WithSigningAlgsFromDiscovery(),
		rp.WithPKCE(cookies),
	}
	if method == "private_key_jwt" {
		metadata = key.with(metadata)
		options = append(options, rp.WithJWTProfile(rp.SignerFromKeyAndKeyID(key.pem, key.id)))
	} else {
		options = append(options, rp.WithAuthStyle(oauth2.AuthStyleInHeader))
	}
	registered, err := register(metadata)
	if err != nil {
		return nil, err
	}
	redirectURI := base + "/auth/callback/" + method
	scopes := []string{"openid", "profile"}
	return rp.NewRelyingPartyOIDC(ctx, issuer, registered.ID, registered.Secret, redirectURI, scopes, options...)
}

func (done *login) logIn(method string) error {
	state := func() string { return uuid.New().String() }
	keep := func(
		w http.ResponseWriter, _ *http.Request, tokens *oidc.Tokens[*oidc.IDTokenClaims], _ string, _ rp.RelyingParty,
		info *oidc.UserInfo,
	) {
		done.tokens = tokens
		_ = json.NewEncoder(w).Encode(info)
	}
	http.Handle("/login/"+method, rp.AuthURLHandler(state, done.party))
	http.Handle("/auth/callback/"+method, rp.CodeExchangeHandler(rp.UserinfoCallback(keep), done.party))
	ended, err := visit(base + "/login/" + method)
	if err == nil && done.tokens == nil {
		err = fmt.Errorf("the browser ended at %s: %s", ended.URL, ended.Text)
	}
	return err
}

func (done *login) refresh(ctx context.Context) error {
	if done.tokens == nil || done.tokens.RefreshToken == "" {
		return errors.New("there is no refresh token")
	}
	renewed, err := rp.RefreshTokens[*oidc.IDTokenClaims](ctx, done.party, done.tokens.RefreshToken, "", "")
	if err == nil {
		done.tokens.AccessToken = renewed.AccessToken
	}
	return err
}

// logOut sends the browser to the endpoint: where the library posts by itself, there is no session cookie.
func (done *login) logOut() error {
	if done.tokens == nil {
		return errors.New("there was no login")
	}
	query := url.Values{}
	err := oidcclient.Encoder.Encode(&oidc.EndSessionRequest{
		IdTokenHint:           done.tokens.IDToken,
		ClientID:              done.party.OAuthConfig().ClientID,
		PostLogoutRedirectURI: base + "/goodbye",
		State:                 "one",
	}, query)
	if err != nil {
		return err
	}
	ended, err := visit(done.party.GetEndSessionEndpoint() + "?" + query.Encode())
	if err == nil && ended.URL != base+"/goodbye?state=one" {
		err = fmt.Errorf("the browser ended at %s: %s", ended.URL, ended.Text)
	}
	return err
}
