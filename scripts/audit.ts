/**
 * Checks the production dependencies: `npm run audit`. Fails on known vulnerabilities of high or critical severity and
 * on licences that are not permissive; what is let through stands in `scripts/audit/exceptions.json`, with the reason.
 * Where the registry is unreachable it prints a warning and goes on.
 */
import { findAdvisories, readExceptions } from './audit/advisories.ts'
import { forbiddenLicences } from './audit/licences.ts'

const root = process.cwd()
const exceptions = readExceptions('scripts/audit/exceptions.json')
const licences = forbiddenLicences(root, exceptions.licences)
const today = new Date().toISOString().slice(0, 10)
const { problems, unknown } = await findAdvisories(root, exceptions.advisories, today)

if (unknown !== undefined) console.log(`Warning: known vulnerabilities were not checked: ${unknown}`)
for (const each of problems) console.log(`Vulnerable: ${each}`)
for (const each of licences) console.log(`Licence: ${each}`)
process.exitCode = problems.length + licences.length === 0 ? 0 : 1
