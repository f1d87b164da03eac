import { getSdkModule } from '#lib/server/operations/services/world-assets.ts'
import { serve } from '../../../../serve.ts'

export const { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } = serve(getSdkModule)
