/** A certificate of the tests that signs itself, valid from 2020 to 2049, with its key; both PEM. It opens nothing. */
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
