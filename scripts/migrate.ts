import { readSettings } from '../lib/config.ts'
import { migrate } from '../lib/db/migrate.ts'

const { databaseUrl } = readSettings(process.env)
if (!databaseUrl) {
  console.error('DATABASE_URL is missing. `npm start` migrates its own database by itself.')
  process.exit(1)
}
await migrate(databaseUrl)
console.log('The database has the newest schema.')
