import { postAuth } from '#lib/server/operations/chain/auth.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(postAuth)
