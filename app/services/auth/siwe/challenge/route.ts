import { postChallenge } from '#lib/server/operations/services/sign-in.ts'
import { serve } from '../../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(postChallenge)
