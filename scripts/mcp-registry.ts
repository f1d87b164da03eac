import { registryEntry } from '#lib/server/mcp/registry-entry.ts'

/* Prints the `server.json` of a site: node scripts/mcp-registry.ts https://weft.example > server.json */

try {
  console.log(JSON.stringify(registryEntry(process.argv[2] ?? ''), null, 2))
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
