import { getVersion } from '#lib/server/operations/chain/version.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getVersion)
