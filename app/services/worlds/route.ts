import { getWorlds } from '#lib/server/operations/services/worlds.ts'
import { serve } from '../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getWorlds)
