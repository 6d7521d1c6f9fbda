-- Asks the forward authentication service whether a request may pass.
local SERVICE = "http://127.0.0.1:8086/check"

local IDENTITY = {
  "x-token-subject", "x-token-client", "x-token-scope", "x-token-username", "x-token-issuer", "x-token-expiry",
  -- With UPSTREAM_TOKEN_KEYS:
  -- "authorization",
}

-- Headers of a refusal that the client gets.
local REFUSAL = { "www-authenticate", "dpop-nonce", "retry-after", "cache-control", "content-type" }

-- Headers of the client that the service gets. No other ones, so that none of them describes another request.
local PASSED = { "authorization", "dpop" }

local function check_headers(txn)
  local given = txn.http:req_get_headers()
  local headers = {
    ["x-forwarded-method"] = { txn.f:method() },
    ["x-forwarded-host"] = {},
    ["x-forwarded-uri"] = { txn.f:pathq() },
  }
  for _, value in pairs(given["host"] or {}) do
    table.insert(headers["x-forwarded-host"], value)
  end
  for _, name in ipairs(PASSED) do
    for _, value in pairs(given[name] or {}) do
      headers[name] = headers[name] or {}
      table.insert(headers[name], value)
    end
  end
  return headers
end

local function first(headers, name)
  for _, value in pairs(headers[name] or {}) do
    return value
  end
end

local function refuse(txn, response)
  local is_refusal = response.status == 400 or response.status == 401 or response.status == 403
  local reply = txn:reply({ status = is_refusal and response.status or 503 })
  local headers = response.headers or {}
  for _, name in ipairs(REFUSAL) do
    local value = first(headers, name)
    if value then
      reply:add_header(name, value)
    end
  end
  if is_refusal or response.status == 503 then
    reply:set_body(response.body or "")
  end
  if not is_refusal and not first(headers, "retry-after") then
    reply:add_header("retry-after", "1")
  end
  txn:done(reply)
end

core.register_action("forward_auth", { "http-req" }, function(txn)
  local response = core.httpclient():get({ url = SERVICE, headers = check_headers(txn) })
  if response.status ~= 200 then
    return refuse(txn, response)
  end
  for _, name in ipairs(IDENTITY) do
    txn.http:req_set_header(name, first(response.headers, name) or "")
  end
end)
