import { postSimulate } from '#lib/server/operations/chain/run.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(postSimulate)
