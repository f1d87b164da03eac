import type { CodeTraits } from '#lib/protocol/code-traits.ts'
import { Fact } from './facts.tsx'
import { Ring } from './ring.tsx'

interface Words {
  readonly label: string
  readonly explanation: string
  readonly color: string
}

/** Dependence of results, as a label with an icon whose shape repeats its colour: closed or open. */
export function Dependence({ traits }: { traits: CodeTraits }) {
  const { label, explanation, color } = wordsFor(traits)
  return (
    <span
      className="inline-flex h-6 items-center gap-1.5 whitespace-nowrap rounded-full border px-2 font-medium text-xs"
      style={{ borderColor: `color-mix(in oklab, ${color} 55%, transparent)` }}
      title={explanation}
      data-depends-on={traits.dependsOn}
    >
      <Ring
        color={color}
        open={traits.dependsOn !== 'input'}
        fill={traits.dependsOn === 'input' ? 'dot' : undefined}
      />
      {label}
    </span>
  )
}

/** The same with its explanation beside it. */
export function DependenceLine({ traits }: { traits: CodeTraits }) {
  return (
    <p className="flex max-w-prose flex-wrap items-baseline gap-x-3 gap-y-1 text-ink-soft text-sm">
      <Dependence traits={traits} />
      <span>{wordsFor(traits).explanation}</span>
    </p>
  )
}

/** The same among the facts of an entity; nothing when unknown. */
export function DependenceFact({ traits }: { traits: CodeTraits | undefined }) {
  if (traits === undefined) return null
  return (
    <Fact label="Results" note={wordsFor(traits).explanation}>
      <Dependence traits={traits} />
    </Fact>
  )
}

function wordsFor({ dependsOn, reads, calls }: CodeTraits): Words {
  const names = listed(reads)
  switch (dependsOn) {
    case 'input':
      return {
        label: 'The same for everyone',
        explanation:
          'It reads nothing but its input: the same run gives the same numbers at any time, on any chain.',
        color: 'var(--color-verdigris)',
      }
    case 'block':
      return {
        label: 'Depends on the block',
        explanation: `It reads ${names}: another block may give other numbers. Here it takes the newest block.`,
        color: 'var(--color-weld)',
      }
    case 'surroundings':
      return {
        label: calls ? 'Calls other contracts' : 'Depends on its surroundings',
        explanation: `It uses ${names}, so its numbers may change with the chain, and no certificate holds them. Where this site cannot tell, it stops: a run on chain can.`,
        color: 'var(--color-madder)',
      }
  }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}
