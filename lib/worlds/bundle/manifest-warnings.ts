import type { AcceptedManifest } from './manifest.ts'

const SEMVER = /^\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?$/
const ENTITY_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

/** What a manifest may say but should not, one sentence each. */
export function manifestWarnings({
  manifest,
  unknownKeys,
  repeatsPermission,
}: AcceptedManifest): readonly string[] {
  const warnings: string[] = []
  if (unknownKeys.length > 0) {
    const shown = unknownKeys.slice(0, 10).map((key) => JSON.stringify(key.slice(0, 80)))
    warnings.push(`Unknown manifest keys are ignored: ${shown.join(', ')}.`)
  }
  if (manifest.preview === undefined) warnings.push('Preview asset is not declared.')
  if (manifest.acceptedConnectorSets.length === 0 && manifest.acceptedFormatHashes.length === 0) {
    warnings.push('No compatibility is declared: the World names no connectors and no formats.')
  }
  if (repeatsPermission) warnings.push('A permission is listed more than once.')
  if (!SEMVER.test(manifest.version)) {
    warnings.push(`The version ${JSON.stringify(manifest.version)} is not like 1.2.3.`)
  }
  if (manifest.accentColor !== undefined && !/^#[0-9a-fA-F]{6}$/.test(manifest.accentColor)) {
    warnings.push('accentColor is not a colour like #1a2b3c.')
  }
  const names = manifest.acceptedConnectorSets.flatMap((set) => [
    ...set.connectors,
    ...set.optionalConnectors,
  ])
  for (const name of new Set(names.filter((name) => !ENTITY_NAME.test(name)))) {
    warnings.push(`No connector can have the name ${JSON.stringify(name)}.`)
  }
  for (const path of Object.keys(manifest.valueLimits?.connectorValues ?? {})) {
    if (!path.startsWith('/')) {
      warnings.push(`The output path ${JSON.stringify(path)} in valueLimits does not begin with a slash.`)
    }
  }
  return warnings
}
