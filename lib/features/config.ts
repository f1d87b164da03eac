import { configReader, secretNames } from '#lib/platform/config.ts'
import type { FeatureSettings } from '#lib/platform/setting.ts'
import { assistantSettings } from './assistant/settings.ts'
import { originalDialectSettings } from './original-dialect/settings.ts'
import { verifierSettings } from './verifier/settings.ts'

/** Settings of features, apart from the features: a program that only reads settings loads none of their code. */
export const FEATURE_SETTINGS: readonly FeatureSettings[] = [
  verifierSettings,
  originalDialectSettings,
  assistantSettings,
]

export const { readConfig, readSettings, variables: VARIABLES } = configReader(FEATURE_SETTINGS)

export const VARIABLE_NAMES: readonly string[] = VARIABLES.map(({ name }) => name)

/** Names of the variables that logs must not show. */
export const SECRETS: readonly string[] = secretNames(VARIABLES)
