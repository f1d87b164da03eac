import { getGrant } from '#lib/server/operations/chain/grants.ts'
import { serve } from '../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getGrant)
