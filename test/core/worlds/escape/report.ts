import { type Outcome, reached } from './board.ts'

/** The board of one browser. */
export interface Board {
  readonly browser: string
  /** Without protection. */
  readonly control: readonly Outcome[]
  readonly world: readonly Outcome[]
  /** At the address of its bundle. */
  readonly version: readonly Outcome[]
}

/** Boards of several browsers as one table of Markdown: what arrives without protection. */
export function boardTable(boards: readonly Board[]): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const channels = boards[0]?.control.map(({ channel }) => channel.name) ?? []
  return [
    row(['channel', ...boards.map(({ browser }) => browser)]),
    row(['---', ...boards.map(() => '---')]),
    ...channels.map((name, index) =>
      row([name, ...boards.map(({ control }) => kind(control[index]?.caught[0]))]),
    ),
    row(['**without protection**', ...boards.map(({ control }) => `**${reached(control).length}**`)]),
    row(['**as a World**', ...boards.map(({ world }) => `**${reached(world).length}**`)]),
    row(['**as a version of a World**', ...boards.map(({ version }) => `**${reached(version).length}**`)]),
    '',
  ].join('\n')
}

/** Arrivals, without the bytes. */
function kind(caught: string | undefined): string {
  if (caught === undefined) return '–'
  const [protocol, first] = caught.split(' ')
  if (protocol === 'udp') return 'UDP'
  return first === 'GET' || first === 'POST' ? 'HTTP' : 'TCP'
}
