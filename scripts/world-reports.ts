/** Lists what people report about Worlds: `npm run worlds:reports`; `-- --settle ID` puts one away. */
import { readSettings } from '../lib/config.ts'
import { createDatabase } from '../lib/db/client.ts'
import { checksumAddress } from '../lib/domain/address.ts'
import { openReports, settleReport } from '../lib/worlds/open-reports.ts'
import { completeEnvironment } from './stack/running.ts'

const [option, id] = process.argv.slice(2)
if (option !== undefined && (option !== '--settle' || id === undefined)) {
  console.error(
    'List the reports: npm run worlds:reports. Put one away: npm run worlds:reports -- --settle ID',
  )
  process.exit(1)
}
const { databaseUrl } = readSettings(completeEnvironment(process.env))
if (!databaseUrl) {
  console.error(
    'Start the network with `npm start`, or let DATABASE_URL name the database that holds the Worlds.',
  )
  process.exit(1)
}
const db = createDatabase(databaseUrl, { max: 1 })
try {
  if (id !== undefined) {
    const settled = await settleReport({ db, clock: () => new Date() }, id)
    console.log(settled ? `${id} is put away.` : `There is no open report ${id}.`)
    if (!settled) process.exitCode = 1
  } else {
    const reports = await openReports({ db })
    for (const report of reports) {
      const from = report.reporter === null ? 'a visitor' : checksumAddress(report.reporter)
      console.log(
        `${report.id}  ${new Date(report.createdMs).toISOString()}  /worlds/${report.slug} (${report.worldId})  ${report.reason}, from ${from}${report.outdated ? ', about files that were replaced since' : ''}`,
      )
      // Written by anybody: what could move a terminal's cursor, or turn a line, is not printed as it is.
      if (report.words !== '') console.log(`    ${escaped(report.words)}`)
    }
    console.log(reports.length === 0 ? 'Nobody reports anything.' : `${reports.length} open.`)
  }
} finally {
  await db.close()
}

/** JSON leaves the controls that begin with 0x7f, one of which begins the commands of terminals. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
