import { httpUrl } from '#lib/platform/config-checks.ts'
import { env, featureSettings } from '#lib/platform/setting.ts'

export const verifierSettings = featureSettings('verifier', {
  /** Sourcify server that the sources of the contracts are submitted to. */
  sourcifyUrl: env('SOURCIFY_URL', httpUrl.optional()),
})
