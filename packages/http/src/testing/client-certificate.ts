/** Self-signed test certificate, valid from 2020 to 2049, with its key, in PEM. It gives access to nothing. */
export const TEST_CERTIFICATE = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOP1kFUsTznCPd+af
dsvw2vCvWTGZbSAbqGpY76WAzIChRANCAASWmMRG7YKJDWaL+NnZComSLUAlfr/s
Z2o3EbdPNG6JYZIaDYZrCLzWudn2lk3o+TrxbuVzIabW79pvf9Md6Pyy
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBNzCCAN6gAwIBAgIBATAKBggqhkjOPQQDAjAWMRQwEgYDVQQDDAtlZ3Jlc3Mg
dGVzdDAeFw0yMDAxMDEwMDAwMDBaFw00OTEyMzEyMzU5NTlaMBYxFDASBgNVBAMM
C2VncmVzcyB0ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAElpjERu2CiQ1m
i/jZ2QqJki1AJX6/7GdqNxG3TzRuiWGSGg2Gawi81rnZ9pZN6Pk68W7lcyGm1u/a
b3/THej8sqMdMBswGQYDVR0RBBIwEIIOY2xpZW50LmV4YW1wbGUwCgYIKoZIzj0E
AwIDRwAwRAIgBx1r9FJrZRt4LncNGjYbVVU3CDLt9PnV2o+G+8c4EfYCIAFkpMV9
T0sdgLdEk2B6CmWf4V7jWOSrX18BHeY7Ob5H
-----END CERTIFICATE-----
`,
};

/** The certificate in DER. */
export function testCertificateDer(): Buffer {
  return Buffer.from(TEST_CERTIFICATE.cert.replace(/-----[A-Z ]+-----|\n/g, ''), 'base64');
}

/** Certificate with the same key, valid to 2048, whose only subject alternative name looks like a thumbprint. */
export const NAMED_AS_A_THUMBPRINT = {
  key: TEST_CERTIFICATE.key,
  name: 'a'.repeat(64),
  cert: `-----BEGIN CERTIFICATE-----
MIIB0jCCAXigAwIBAgIULbaM62h4+UinbNKM0gLh0rKpv7AwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPdGh1bWJwcmludCB0ZXN0MB4XDTI2MTEyMjIzMjEwNloXDTQ4
MTAxNzIzMjEwNlowGjEYMBYGA1UEAwwPdGh1bWJwcmludCB0ZXN0MFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAElpjERu2CiQ1mi/jZ2QqJki1AJX6/7GdqNxG3TzRu
iWGSGg2Gawi81rnZ9pZN6Pk68W7lcyGm1u/ab3/THej8sqOBmzCBmDAdBgNVHQ4E
FgQUB95QtzF08tyzyhKlnr4eN/in1ccwHwYDVR0jBBgwFoAUB95QtzF08tyzyhKl
nr4eN/in1ccwSwYDVR0RBEQwQoJAYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFh
YWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYWFhYTAJBgNVHRMEAjAA
MAoGCCqGSM49BAMCA0gAMEUCIQDZpWK4yNca8ljloEs28vd97FiqaD9bWg2+Prd/
pY7bqgIgS4+HnU1/YpsiRN/2hB+/SbC5LcKRm1/G767k/KDMGiQ=
-----END CERTIFICATE-----
`,
};
