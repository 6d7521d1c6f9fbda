/** Decides on a request for auth_request, by the introspection response about its token. */
async function authorize(request) {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(request.headersIn.Authorization || '');
  if (!token) return refuse(request, 401, 'Bearer');
  const body = `token=${encodeURIComponent(token[1])}`;
  const response = await request.subrequest('/_introspect', { method: 'POST', body });
  if (response.status !== 200) return request.return(500);
  const claims = JSON.parse(response.responseText);
  if (claims.active !== true || ![].concat(claims.aud || []).includes(request.variables.audience))
    return refuse(request, 401, 'Bearer error="invalid_token"');
  if (!(claims.scope || '').split(' ').includes(request.variables.required_scope))
    return refuse(request, 403, 'Bearer error="insufficient_scope"');
  request.variables.subject = claims.sub;
  request.return(204);
}

function refuse(request, status, challenge) {
  request.variables.challenge = challenge;
  request.return(status);
}

// biome-ignore lint/style/noDefaultExport: js_import of njs reads the default export.
export default { authorize };
