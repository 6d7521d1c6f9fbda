import type { StoredSigningKey } from '@vestibule/crypto/signing-keys';

/** A JSON Web Key. */
type Jwk = StoredSigningKey['publicJwk'];

/** A published key pair, for tests only. Its `kid` is the thumbprint of the key (RFC 7638). */
export interface KeyFixture {
  readonly kid: string;
  readonly publicJwk: Jwk;
  readonly privateJwk: Jwk;
}

/**
 * Fixed key pairs, because creating RSA keys takes a noticeable part of a second. Each names its algorithm; the
 * `other…` ones are further keys for the same algorithm.
 */
export const TEST_KEYS = {
  rs256: keyFixture({
    kty: 'RSA',
    n: 'zFYCG8DXEHpkTaJ_ES_WUp-KlGnH12LQuNYIB-7xEPOiRnTXpnR_Yg3HmLKmVcNVBljuQe_oND0n2YX3I9RIiASu3l8uWhBa6SkBvmDbotIo9cd3qUQORzaWQG4bzuZyrGEin6sMwdI8D-qfN7MLY1LbUb0SVTGqXwbRrDe9jqXJ6onEu_68YfXZWtM9uFWpF9GgU0zvKkpfM3xnJ1sERv5Xot4DAF3paYBPAwnPFuZW4stPv0PO8unKwgQupTqcSnHuQ9Beadse5IQkwIBQtkE3d04hO-YRx1khlwQfI6aR6C9rM6VxuGq5PZxMSgrZu2ovoVNC5705DadNTO0YQw',
    e: 'AQAB',
    d: 'Ft8Domady-bfJj9reJmBpELeSIlkiGuzkBTI1lZ83hhfEALRBn0gqvF-500LyCqycCDxHilDtOEpfjP7-yMuMSdRCWve7M7K1jE0VEJUIy_hzMzUTHplHLxz6edJLonlyPygWv3S0jj9ZwysYJgmTKpACTCgBjAmcTd6rYuZqIcb02WVeSYF7C_pR_Jk5BUO32-bnMtIZfrLaBor0Df7NJX1M3shOoN90BlPR4dSbuZzwxmyxW0lTdeKDAARZfjhYWINcJipGPKEACHzmbGvQk_Hx84Ie0LLyzFnc6Y3LX3BPUYsV7bU48AhbOoxiWRPPo6h1axtcELewjKEb9zRZQ',
    p: '6DE7hD8-fdfHBlMEP6VePFFzFQalxCk75W-NinHazKKs8XjCvQV_QeFw2JCNYIvRtX6HWa1B4s1xBFImSz7dXHoBXe1Erz_c1EKRehxokHRrzNrCBIj-CxdYeNpfFL9XKODgJyAIiOoEinDD-Yi0b611ZbK0KP8F1esfnJSt3NU',
    q: '4UmUk9W-M0KYBx8zu8RpP7QMUif16Q3AwpFcrJHpSGQUwJ_O_qjHtusvpMN3E4CHF7_BBoVQ4-2as10I7AkxNlADuIBZ0xasQ4aJXmq-f780xi7VAXM5TbCAb5sQ9CL7Zp6ZUSrm2zXWo1Nbs4-7-3_1FtaekuWDKRiKE4FBTLc',
    dp: '1xOTj8KNfj_7qU4Ip3PkwHap5RYNQpD3XGVidJVWGSuuitZTfIe1Ay9yOghcDMw26qlTcqvcVdv7DgeSVSzcGycgUQLRFoxPX4Zx_uyFpxlQKaeRBGZo-5kaaIfOfwdmEwWKXHN9tGUg46PkxCXvDWtdTWClJTxlCWwMEhxemCk',
    dq: 'gI0P7tuEUJOrVEUFrBsDQ4pljWun8ngaieuQShhoWRpijRejccS1UTcaVJYEmGg6rd6JMkNYSPcH01k_AhCsuCUoOlti5gSF_3IBaJLYaOSeJIgMm2s4Q5B3eTeukOB1O7U8Hwiv-l3aQBAMv4VA6t206HdGvOOh2A1cnIygyjk',
    qi: 'X4DxQK1JONDRUVlT0ZwEIjJQC-Y5lxXuYkd47aLjiK0M2zq9r0b0MjXsYmWCLkWVr17z11xiwdjtebRSUXWQNnTd7bkHTHArGelU-FrXgQyuDiUlvzBHBlvqJdjF89XJFI918fdxn9eHvt2ER1SCa89KDpk8oPqxEJNx41kqb98',
    kid: 'T479Y_XsA9ohOnL_L3Klyk6YZQkMBlIcnfZPNBVxbLI',
    alg: 'RS256',
    use: 'sig',
  }),
  otherRs256: keyFixture({
    kty: 'RSA',
    n: 'nGdUb3VAXcy9veFSbwFL6T2W36mMWrLYmVqq-ZuBDN5lrHGEvatVP-SmohIPeiGgWkXPayDLGAESqZ8pUXeNH1Sqs6-tvQVEWxq3mKxJ4mdOI3_3YhGBeUzIaStW5iqpLZB9WVt6spuiZz2LUuxsNjEsnVJtoRveUGFQOC759vzoN36yaCj9_yOHvSqpRvymu9jx6OnZe4QphVqRC3BVRmbuEUbsrwNsb-nlYscjlu6I6PGS0cCzCqI5dnFhjmbDIojSCfdKOMEzo9czdCcx00ucOcmKXglnt-9nHxr8-jrO0lGg_QS-SEX_DSRBbjVEBqGtvHLDcOLdpwZeFQcoHw',
    e: 'AQAB',
    d: 'FtfwuSbC8_BHdkhGpffmgnaAZsJ4wXaFtEBN4I8Z1itVZk5eOOWhWeenftxsbkYjCYxQszDi-OqPMz8P5do0PnM7S2tJUOZICZZpYl8nm23DN-Qk2an84x6X1uSBmLR6aTFFXZvC2_tnSPTwOHhXhcLA5Wl4oaNUYSEVel9CGxSyy3nmGBTvy0TQZMRfyhvzPB_Ztwg7IGFCfKlTEC3eZYYxBNC5kIN5qIrn1Oc1F-0NC9vKcwTzbKNbLjUsYDfmMHYbkCIDHVZ1SKwauBr7jkVr50GDk6E6fYIJ92RpYWtHRCqsspgNJxi0O2cuIJ7HrwNV-q4nm_Nu0G4EEGQ0gQ',
    p: 'zkryVBHNMg67aTMUR78LuWI0IaQla1r978Mc8CE7hTPJp58bYJbnMCLPBrgCF1SIE92CqIaI9brj4YWsj2ggPKaYuTVu1ncUDZNUQQNaFhW66wLTIgOks_Ppw2ZoilwCiDOdSTpHX4aeNXZfUy4Yh4vuT6BXfgKJHGlB7Ud9HnE',
    q: 'whcAE9PDdlnDs7t9tR83SH54DBl-8XsEmQZ_iOlTVv0z8Kz2NU0k172hpyZ2eN2tCYG6s410HfpM2A8kLUIVJM2N_zPPFAcromWhIZzUtoFPYIjey-tvV-ehvEnNtOVX0PVOJ7F_AiK-DpZbaKOvZVnHBnC5HEuATNol4pBXF48',
    dp: 'Hu7IBWkh7qac3XpmSRfRhzu9e2nknoNnXmNQXIVvKlsImtTVwxb9lY8yodxHm_315ZyqceCyer5KW0-y_1Hqu41zixoDA6-ZVyvHT3RUNsmNXJ3w0MHhGYayf7VEabLAQnIS3J8bgqxp3rRgONXJodGOq2vskp2It7TkyNKWZVE',
    dq: 'uaxVJ6KSv5qZ7Ev1sxp8wX4zC6gsV4jO2jFsOiaz0mkBkkF0e4MkNrszdPsHpRKz4X9Yg0JUDgWQE7VQb3djUMTQDY6bkFZXuNCud8BXgYxsyjXFpaDB8H8nqz-TaXVpL_4r2S8lCH8CAGR4Z78HINbk3dViUJ4ty9d5HKfmmSM',
    qi: 'G0wnrKeZFgLsg58KazTL29ENA0vGmjb0p9nF6zsgQ2Gb6DcXpo_wcpG0bFPPeTNMtuSuPOl0DYTD1j42Ztuyubldp0Ag0ArQEw0tGSTzx1GN4e6UAYtZWJwPBZh74yS31WKh_sCoQf6B40hK9_mgMuiC3m4veauexzZwVIeF35I',
    kid: '59DWWG0cm26SxGNCJaL0z9HKfm9AvgF1vVu1zMAZI58',
    alg: 'RS256',
    use: 'sig',
  }),
  ps256: keyFixture({
    kty: 'RSA',
    n: '5fnOW2jhVoCEXTzWAB_xZyCbrhop-PykHDk7mvwrT0IbOdobvbXOTKNZXhFrodjxQGPTpZyzmmhV66n9RChtTfXbjJgx2CA4JsFgiaPeSaR3ujySDima12ohn3mC93nkB0d_v4jE8w_WVTxQMa_kAql_q927mDLUbWqD7W1oB_hjoTn-21WtGmgzS8h51KisEI8ey-USmYyHoguo69COOQZL9kd6jKQr5sjEzjWpg1wC117j4Vb7XrO6BhssrnIUyWLQ6L9h5cHF8TOqL3sVSm8SdLV2ebp-rN4Mb-LPZpec3ozFb-b5qa93QSPHW40gmtlRLejjoMP4_q1-_mSPqw',
    e: 'AQAB',
    d: 'HxSAn_fvpDogKV2kakXm4RIWGBRvIbg7EZlmhc6Yp9B-T3Y7k4rzg4X7-OuPyULBb_tNyi8AUtjQ69WAZeq0wvl8H2ceLWBFVm-B9XgQ_ZDdoWy4LHPQ-lXcj2njmkB94cH28NKyE0tLox9QkzZ7MSTpHTgNN0d_T_46MCc-DP1yDhuvCHC48ADDM043bjce03nNfYfyE-hs-7S-6ltkgfTK3kOS5SfriceSC67t9WfF23TPaI9M8O9ZndO7SbiJ24iZtvi6TFn2hv7mlj1FFusYoRqhVpcjcVIZQarSd_wGicsPJlAQKtKVtiIDYQGZj1zObLLt1TUCBvg_N5bzoQ',
    p: '_LehRYq-Wn0__mpJ7ux7vXz37-Lc1gjUJNlO1887_z1v6CiVBxot0TUIK22iJaGm85PA6a68GRklulNxHdmrkrwBMvymVCycMD8sNVAhaLNfrgsXIikqyC4bpLdNlkfQje3TyjzrAv8eAHH9Opr3YzeRBg2X2JHl4i8zZfY1KJE',
    q: '6PaNkB-bPiENo2Cv-b14BcTaagmfeNVwTZ9xKG092fLoXaU4GNeD1Q1nHkxJW8-8p1lGjC31vhs7M-SSJrivoOPy92Q824PmDtT9fy_hT0iUy7zLuWnWnNgkkwaIrMxjRIhzH2ecmKy-P9evZN1YPspt2HNgJPsSt0jOhSLx8ns',
    dp: 'V82tOK416Navj0N6oIqFi5aJxkz6EVtL6emenRihbdL4uJ6w-KC93nwgdIZI2e5KRULGueo97DJyi0RGfuqL1BWCDSb-2ywMsC6iu3s1wFziF2Q_C11mQdrTO-18BYS6DzXcad20gXwF_n2cT-pbnZtGxeWfJl26k1V29CwQ2CE',
    dq: 'pKC_T28WfORMx_zmvtzG-YSwOKkOOgzTLPeUttXkFKYU0UCVkPCT6DZtfbq5SJlYHwb21M8Rz0NdJgHLynNPIaqUo4EBhLsEE80uSvgiB64qAIQtj5ycngAccI34fex95gtrF3FX94hzdZhNCUFmQBE7aO-3rMqE4mMgFnOoeQs',
    qi: 'C5TVqvVs-U5kEJ8dazwllz8gp3xrLi-YXhw8_r_v_D0M9xKOpefJHAsGL_9QbeNuNyD-lUuaaHd3fWlR5LclYvbz-gcvvGkyEsg0NKRiQv15gbHqwycPdHFffLeWwZwLbBzQobrwwNJCmfZJdbnVkqh4ZUnjFmLDQoIEb2LzNgU',
    kid: 'dtM16hRSWTRpZ2Gdas-OK9EQUyIGzZeEJuyc1nsG3nw',
    alg: 'PS256',
    use: 'sig',
  }),
  es256: keyFixture({
    kty: 'EC',
    x: 'VPTDCCexRkRdCaqJUiAjvxJuFdKp_ZS_3fkHcfIHBJA',
    y: 'QGg6Ah1245xyVhWGMi7yLc4SMSfbWLE5_EDo5sQhavU',
    crv: 'P-256',
    d: 'bdxA-lEBDc3RSKrHKRmcZtJdkHvQVOJmLyqILwNNTO0',
    kid: 'Ml1AD4Pi4Spzectrn3lLIjy2gvCfDIX3r6_OV5u-HRk',
    alg: 'ES256',
    use: 'sig',
  }),
  otherEs256: keyFixture({
    kty: 'EC',
    x: 'HxQ0RUu7hgLmDVB43qkumV-610B89o0CAp6ZtC4x_yg',
    y: 'npBQGpJbndEa0SalLW_VoFuelfwg2hV0tUU9IeIceCQ',
    crv: 'P-256',
    d: '5SSHeqM89gjTGAvxK_5lXY2OPrJdFcruLzFKio4Qr3c',
    kid: 'u32q4CiMZbvUbSerbsHtaZxv57FjSPth6UfuJSVRLMU',
    alg: 'ES256',
    use: 'sig',
  }),
  es384: keyFixture({
    kty: 'EC',
    x: 'eKwJBLTAyg_hXXZtPo1W9NHTXO3zvlXM1OqkpAjrVwWL6w88IbjX4nG6q6s0aVwC',
    y: 'LzslEsI4taiLpi5vEaKecqVKQBdvcYrRyNQW4w_BhpTM25idhG-1K8MjZpz4ttUj',
    crv: 'P-384',
    d: 'naCpTf1gp3nsGEOXMWXi-RmsOLWg_27hGxy0cwUSCejZqDaO5mIjH8x3PvGmDA3E',
    kid: 'aq2nG0jUPKJWDY61niKYnmf1rYOev6LQUeQNg_ZT7QY',
    alg: 'ES384',
    use: 'sig',
  }),
  es512: keyFixture({
    kty: 'EC',
    x: 'AC7WGJ8bzG1mYyk-Brm_SuAIUnLO0GbCyzsSc3nYySVEjVPHP8n5JlCNtGVWYs1AF2NZOyLPGZ73LztAewnTamPe',
    y: 'AaqWrNRHrJOGbAWhdjzZ5DxtXPrvypgrTFmX9cSCKlJ0sVej-IXeSO9y-PrUBwffCi0uC-jFnV10QceQFQm3Ky3w',
    crv: 'P-521',
    d: 'AR6zXOLIKUikh6UQfDHa9dPe1thcxBtqUoORU5IF6QJnfU03RYbLgdafHCrnUxaXmC_AV5aFNfor8eJ-8OIRUXKQ',
    kid: 'b6TlUW4JrYkjausmxLGrgGUpmEH9KmYs8H18taLgWME',
    alg: 'ES512',
    use: 'sig',
  }),
  ed25519: keyFixture({
    crv: 'Ed25519',
    d: 'y49GgI1__3opzQsivi_FoBlRGuWlBf2Bqs3gC6zoJ28',
    x: '5fTYKMUUSIYVIlDwB1G60LPcmnrJKuX66sJHBLyPBWs',
    kty: 'OKP',
    kid: 'cuAI5I2lhn138GEo_WSfnKzr6fizzwPnQXjuy-fhRZg',
    alg: 'Ed25519',
    use: 'sig',
  }),
  rsaEncryption: keyFixture({
    kty: 'RSA',
    n: 'yNmVn1_P5LRR0Rer47RwHrvqkUBx7y9052WZvi9VXMnlPQXi0PLJCZ9YKZvZ0QpGLLEYMVtp6N3L5V1KnUYRCryWM7Gol84Kb_sItNzJE_o7XVbY0wFdvZeH6AJXRwfd7ZMRVkB23uE1SY6nf0EmIbjGQVlvcfi84yb-uaIc3KgJXNz8YPWJc4B1KikMv_PD4vn-aHEllJLXPjsf2p6Oa7Pqb4ZqNN2owtCXdvmiE-JXSuulCON-6L77xVxJn7YvctQN_1XPO3x1y2mJpHmBtA_xhjlNYXDOuZrcoZ3yzSUYOZNavMc6oQMDh2NdeGFBvD-FgDl4aKIndhhnCJBX6w',
    e: 'AQAB',
    d: 'AiUwz-76DXtPlGgoUdpPiESBkOObU-6x1Pbk2X8v7jnJ1QkHDyxIsW2eR3N-tBjj_v41P_G2A-K6lsyUS3HAJNk20X6ISnbM7b1ErondK_V0RN70mexdz_SaYwQDYqLW3_6-JKmzm1XUd-CqMVXEzn9mvrPx2MnLWrHD7r-oh0LPWv2a_uKYXmk4UwayGtDaTX_Zw6Kp9t8eMpYpf6ZVx6QC7T4WlRe1sBvG3VamSHo7w08J1qS4KmLEDxKCEFY5hPdAkoh8swreL7LINfrsfzd_JrK_hNcANzpU2hDASRpeYXV11drfIxBtXXu7st85So1Y7cMe4dGoDf6M5d-EIQ',
    p: '9Q40yyMZKeeL75gT5L22Ep17aArGF0hiKvL86PfLBKIi3JEDeqQ6BeA8Hl9HT1BpUZoZWg4D4vN0GNAzFbTjTRacmIondYEBldim9EziBBC39sO9_aNxXmetWL99fGzmbe9vmFTvpa1xm2xrko7AsQfAl0FcofeC0Zb7KwCjnA8',
    q: '0dH2ddEHEaW0nlljvKrZzyGZMCdiynHUHzx7n4yUHNA5zoH69EDOgU5LtKlttRghKbK5ATjXRIOUmSR_GIuh7lvvN11jS0WcEjWyhm9QXiKdVKd0pjORVqLqj3DmjRqFEjcuQey0HEoJNDTlzlkyypHimEM7sBBgepIXycXx2mU',
    dp: 'a3-A3z-VUVGWjFMNHwGttjrJINnhDeOd1LNlCJlywKSTYGhou0sBfQRhuv0W3g8rNDXCO0P8pnkfi6cBUdtY_r8VkMDCEIS3-lDg5Dg5yYi_-orhdDtXhw859r2BwaxP5Rfsv0k7G1WbiY-lHNRsaPw6mt98UDywcVqm8bVFEDc',
    dq: 'ldefbkZICRdQ5SErdCqDgEQbVWNbTv55oZEdLDVF9UnTbqIu6U5666dRs4SoH4NK8696JeBFA94AOlnxFkNp8oLfVKex6Kieq_aDNzS5rXCE8VbhnGwJaFjSsHvNeoms7PRRaa00d1t8NTdtwq668iW7MEgbkUIw1HgO2v8tGG0',
    qi: 'S2dFgck4S5mzhb1Sy7pHCZOIyX1PFXmliHLs07bFCfJJCGf4apQvgJuXQ6ANqtG5y7I3bQga0RMySVSpqWqUAamPt7XAkgu4U1-9Qm2IyuTr9PtzXhW41922hphIakjfdb58r2VxzKPC--utN6yk-gInNYQJGZIcdbESUg00Xao',
    kid: 'H4MSE_aZ7-QYw26W5pvhgkfNCvCOyoyKrFvM7q9ZDzU',
    alg: 'RSA-OAEP-256',
    use: 'enc',
  }),
  ecEncryption: keyFixture({
    kty: 'EC',
    x: 'cMb7FMlqyCpj21PLCHlkZo9INc7X0Yj9u1fWY0UD1rA',
    y: 'RW8rx_G5-9XFpgtYUyv0FSWjI3eZG7Dn4q7JgM4c55c',
    crv: 'P-256',
    d: 'kJcIaZDRSddHDZISDKkyrK12UtXsJ3ExF8uP7Nl4EDU',
    kid: 'D6Rzc6oJHMihK757vJYAUofpKSyNP0DXmk_IO2_tbNE',
    alg: 'ECDH-ES',
    use: 'enc',
  }),
} as const;

function keyFixture(privateJwk: Jwk & { readonly kid: string }): KeyFixture {
  const { d, p, q, dp, dq, qi, ...publicJwk } = privateJwk;
  return { kid: privateJwk.kid, publicJwk, privateJwk };
}
