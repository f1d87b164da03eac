import type { Outcome } from './board.ts'

/** The board as a table of Markdown. */
export function boardTable(control: readonly Outcome[], world: readonly Outcome[]): string {
  const rows = control.map(({ channel, caught }, index) => {
    const kept = world[index]?.caught.length === 0
    const open = channel.unable ? `nothing: ${channel.unable}` : kind(caught[0])
    return `| ${channel.name} | ${open} | ${kept ? '0 packets' : kind(world[index]?.caught[0])} |`
  })
  return ['| channel | unprotected | as a World |', '| --- | --- | --- |', ...rows, ''].join('\n')
}

/** What arrived, without the bytes. */
function kind(caught = 'nothing'): string {
  const [protocol = '', first] = caught.split(' ')
  if (protocol === 'udp') return 'UDP datagram'
  if (protocol === 'tcp') return first === 'GET' || first === 'POST' ? 'HTTP request' : 'TCP connection'
  return caught
}
