import type { NewId } from './ids.ts'
import type { Entry } from './types.ts'

/**
 * A small piece of work to begin with: two bodies and a connector of two dimensions that uses them. It runs as it is
 * and shows what there is to change.
 */
export function exampleEntries(newId: NewId): readonly Entry[] {
  const call = (name: string, ...args: number[]) => ({ id: newId(), name, args: args.map(String) })
  return [
    {
      kind: 'connector',
      id: newId(),
      name: 'first_melody',
      dimensions: [
        {
          id: newId(),
          calls: [call('climb', 5, 24), call('climb', 7, 24), call('lift', 2)],
          composite: '',
          bindings: [],
        },
        { id: newId(), calls: [call('lift', 3), call('lift', 1)], composite: '', bindings: [] },
      ],
      condition: null,
      staticRi: [{ position: 1, startPoint: '12', transformationShift: '0' }],
    },
    {
      kind: 'transformation',
      id: newId(),
      name: 'climb',
      source: '// Up by args[0], around a ring of args[1] places.\nreturn (x + args[0]) % args[1];',
    },
    { kind: 'transformation', id: newId(), name: 'lift', source: 'return x + args[0];' },
  ]
}
