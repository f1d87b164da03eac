import { expect, test } from 'vitest'
import { bench } from './bench.ts'
import { misses } from './checker.ts'
import { TASKS } from './tasks.ts'

const { model, store, assistant, begin, run } = bench()

test.each(TASKS.map((task, index) => [task.words, task, index] as const))(
  '%s',
  async (words, { replies, expected }, index) => {
    begin({ api: index % 2 === 0 ? 'anthropic' : 'openai' })
    let heard = ''
    model().play(({ turn, results }) => {
      const next = replies[turn]
      if (next !== undefined) return { calls: next }
      if (turn === replies.length) return { calls: [['result', { connector: named(replies) }]] }
      heard = results.at(-1) ?? ''
      return { text: 'It is done.' }
    })
    await assistant().submit(words)
    const [answer] = assistant().getState().answers
    expect(answer?.status).toBe('done')
    const { document } = store().getState()
    const entry = document.entries.find(({ name }) => name === named(replies))
    if (entry?.kind !== 'connector')
      throw new Error(`There is no piece: ${JSON.stringify(model().requests.at(-1)?.results)}`)
    const streams = await run()
    expect(misses(streams, entry.sound ?? {}, expected)).toEqual([])
    // A checker that takes anything is none.
    const wrong = streams.map(({ path, data }) => ({ path, data: data.slice(1) }))
    expect(misses(wrong, entry.sound ?? {}, expected)).not.toEqual([])
    // The model heard the same.
    expect(heard).toContain(`"voices":${expected.voices},"steps":${expected.steps},`)
    store().undo()
    expect(store().getState().document.entries).toEqual([])
    expect(store().getState().undoLabel).toBeUndefined()
  },
)

/** Name of the connector that the last reply is about. */
function named(replies: (typeof TASKS)[number]['replies']): string {
  const [, input] = replies.at(-1)!.at(-1)!
  const { name, connector } = input as { readonly name?: string; readonly connector?: string }
  return connector ?? name ?? 'none'
}
