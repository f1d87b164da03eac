/** The argument that carries a token where the connection's own headers cannot: they rarely change every five minutes. */
export const ACCESS_TOKEN = 'access_token'

export const TOKEN_DESCRIPTION =
  'The `access_token` of `log_in`, valid five minutes. Not needed when the connection sends one as `Authorization: Bearer`.'
