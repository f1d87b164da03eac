import type { Random } from '../../simulation/random.ts'
import type { AgentNetwork } from '../network.ts'
import type { Player } from '../player.ts'

/** What a task is played with. */
export interface Play {
  readonly network: AgentNetwork
  readonly me: Player
  readonly random: Random
  /** A name that is still free. */
  readonly fresh: (part: string) => string
}

/** Plays one task. @throws where a tool fails, or where its answer is not true. */
export type Steps = Readonly<Record<string, (play: Play) => Promise<void>>>
