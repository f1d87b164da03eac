/** Lists the open reports about Worlds, entities and profiles: `npm run reports`; `-- --settle ID` settles one. */
import { openReports, settleReport } from '#lib/features/social/index.ts'
import type { Database } from '#lib/platform/db/client.ts'
import { checksumAddress } from '#lib/protocol/address.ts'
import { runOnDatabase } from './stack/running.ts'

const USAGE = 'List the reports: npm run reports. Settle one: npm run reports -- --settle ID'

await runOnDatabase(
  USAGE,
  { settle: { type: 'string' } },
  async (ctx, { values: { settle: id }, positionals }) => {
    if (positionals.length > 0) throw new Error(USAGE)
    if (id === undefined) await list(ctx.db)
    else if (await settleReport(ctx, id)) console.log(`${id} is settled.`)
    else throw new Error(`There is no open report ${id}.`)
  },
)

async function list(db: Database): Promise<void> {
  const reports = await openReports({ db })
  for (const report of reports) {
    const from = report.reporter === null ? 'a visitor' : checksumAddress(report.reporter)
    console.log(
      `${report.id}  ${new Date(report.createdMs).toISOString()}  ${report.page} (${report.kind} ${report.name})  ${report.reason}, from ${from}${report.outdated ? ', about a version that was replaced since' : ''}`,
    )
    // Untrusted text: characters that move a terminal's cursor or turn a line are escaped.
    if (report.words !== '') console.log(`    ${escaped(report.words)}`)
  }
  console.log(`${reports.length} open.`)
}

/** JSON leaves the controls that begin with 0x7f, one of which begins the commands of terminals. */
function escaped(text: string): string {
  return JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\p{Cf}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )
}
