/** Writes the page of the documentation about configuration: `npm run config:reference`. */
import { readFileSync, writeFileSync } from 'node:fs'
import { renderReference } from './config-reference/render.ts'

writeFileSync(
  'docs/site/self-hosting/configuration.md',
  renderReference(readFileSync('.env.example', 'utf8')),
)
