import { flag } from '#lib/platform/config-checks.ts'
import { env, featureSettings } from '#lib/platform/setting.ts'

export const originalDialectSettings = featureSettings('original-dialect', {
  /** Serves the fields that clients of the original network's later release require. */
  enabled: env('ORIGINAL_DIALECT', flag.default(false)),
})
