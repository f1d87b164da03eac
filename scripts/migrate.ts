import { readSettings } from '../lib/config.ts'
import { migrate } from '../lib/db/migrate.ts'

try {
  const { databaseUrl } = readSettings(process.env)
  if (!databaseUrl) {
    throw new Error('DATABASE_URL is missing. `npm start` migrates its own database by itself.')
  }
  await migrate(databaseUrl)
  console.log('The database has the newest schema.')
} catch (error) {
  // Each has a text for the operator; where in the program it came up is no help to them.
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
