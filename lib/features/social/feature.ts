import type { Feature } from '../feature.ts'
import { collectNextNotices, collectNotices } from './collect-notices.ts'
import { getMarks, getSaved, postMark, postPlay } from './mark-operations.ts'
import { deleteLikes } from './marks.ts'
import { postSeenNotices } from './notice-operations.ts'
import { postReport } from './report-operations.ts'
import { noticePosition, pieceCounts, playDays, playVisitors, worldReports } from './schema.ts'

export const social: Feature = {
  name: 'social',
  operations: [getMarks, postMark, getSaved, postPlay, postSeenNotices, postReport],
  jobs: [
    {
      name: 'notices',
      run: collectNotices,
      runDue: async ({ db }, signal) => {
        while (!signal.aborted && (await collectNextNotices(db)) > 0);
      },
      backlog: {
        name: 'deltas_without_notices',
        count: async ({ sql }) => {
          const [row] = await sql<{ deltas: number }[]>`
            select greatest(0, s.last_stream_seq - coalesce((select max(stream_seq) from notice_position),
              s.last_stream_seq))::float8 as deltas from worker_state s`
          return row?.deltas ?? 0
        },
      },
    },
  ],
  tables: [pieceCounts, playDays, playVisitors, noticePosition, worldReports],
  deleteRows: deleteLikes,
}
