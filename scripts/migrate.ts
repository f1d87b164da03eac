import { readSettings } from '#lib/features/config.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { runCommand } from './stack/command.ts'

await runCommand(async () => {
  const { databaseUrl } = readSettings(process.env)
  if (!databaseUrl) {
    throw new Error('DATABASE_URL is missing. `npm start` migrates its own database by itself.')
  }
  await migrate(databaseUrl)
  console.log('The database schema is up to date.')
})
