import { readSettings } from '#lib/platform/config.ts'
import { chainDatabaseUrl } from '#lib/platform/db/chain-schema.ts'
import { migrate } from '#lib/platform/db/migrate.ts'
import { runCommand } from './stack/command.ts'

await runCommand(async () => {
  const { databaseUrl, furtherChainIds } = readSettings(process.env)
  if (!databaseUrl) {
    throw new Error('DATABASE_URL is missing. `npm start` migrates its own database by itself.')
  }
  await migrate(databaseUrl)
  for (const id of furtherChainIds) await migrate(chainDatabaseUrl(databaseUrl, id))
  console.log('The database schema is up to date.')
})
