import { expect, test } from 'vitest'
import { stopSentence, stopTitle } from '#lib/studio/runs/run-stop.ts'

/* Why a run stopped, in words: none of them is an engine's code. */

type Rejected = Parameters<typeof stopSentence>[0]

const DIMENSION = { path: '/song:0', position: 1, connector: 'song', dimension: 0 }
const step: Rejected['place'] = {
  ...{ kind: 'step', ...DIMENSION, call: 0, transformation: 'climb' },
  ...{ args: [5], step: 3, x: 1200 },
}

function rejected(name: string, message: string, place: Rejected['place']): Rejected {
  return { outcome: 'rejected', rejection: { name, message }, place }
}

test.each<readonly [title: string, sentence: RegExp, stop: Rejected]>([
  [
    'A number gets too small or too large',
    /^At step 3 climb gets 1,200, and the result is below 0 or above/,
    rejected('Panic', 'Arithmetic overflow or underflow', step),
  ],
  [
    'Something is divided by 0',
    /climb gets 1,200 and divides by 0/,
    rejected('Panic', 'Division or modulo by zero', step),
  ],
  ['climb refuses a number', /stops with “Too high”/, rejected('Error', 'Too high', step)],
  ['climb refuses a number', /refuses it\. Change a number/, rejected('Custom', 'Custom(4)', step)],
  ['The run takes too long', /takes too long\. Use smaller numbers/, rejected('Limit', 'Steps', step)],
  ['The run takes too long', /limit of this server/, rejected('Limit', 'Steps', null)],
  ['The run stops', /as it would on chain/, rejected('Error', 'Unknown', null)],
  [
    'The run cannot start',
    /Change the start of this voice/,
    rejected('RunningInstanceDuplicate', '1', { kind: 'running-instance', ...DIMENSION }),
  ],
])('%s', (title, sentence, stop) => {
  expect(stopTitle(stop)).toBe(title)
  expect(stopSentence(stop)).toMatch(sentence)
  expect(stopSentence(stop, true)).not.toContain('climb gets')
})

test('a loop that may not end is named', () => {
  expect(stopTitle(rejected('Limit', 'Steps', step), ['climb'])).toBe('The run does not come to an end')
})
