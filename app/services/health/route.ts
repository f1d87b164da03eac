import { getHealth } from '#lib/server/operations/services/index.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getHealth)
