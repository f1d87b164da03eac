import type { Address, Hash, Hex } from '#lib/protocol/entity.ts'
import { Random } from '../simulation/random.ts'
import type { Transaction } from './attack.ts'
import { honestTransactions } from './honest.ts'
import type { HostileNetwork } from './network.ts'
import { type Action, ATTACKS, type Program, type Round, type Step } from './program.ts'
import { type Bounds, compareWithReindex, measureWorkers, reachHead } from './properties.ts'
import { type Registered, readEverything, registered } from './reads.ts'
import { Catalogue, createScene } from './scene.ts'

/** Enough for any gas limit that a transaction here has. */
const BALANCE = `0x${(10n ** 30n).toString(16)}`
/** Blocks take transactions by price, so the order of a block is the order of prices. */
const HIGHEST_PRICE = 10 ** 12

/** Runs a program on a network that nothing else uses. @returns what the first round with violations violates */
export async function play(
  network: HostileNetwork,
  program: Program,
  bounds: Bounds,
): Promise<readonly string[]> {
  const player = new Player(network, program, bounds)
  for (const [i, round] of program.rounds.entries()) {
    const violations = await player.play(i, round)
    if (violations.length > 0) return violations.map((what) => `round ${i}: ${what}`)
  }
  return []
}

class Player {
  readonly #network: HostileNetwork
  readonly #workers: number
  readonly #bounds: Bounds
  readonly #catalogue = new Catalogue()
  readonly #honest = new Set<Hash>()
  #seen = new Set<string>()
  #violations: string[] = []

  constructor(network: HostileNetwork, { standby }: Program, bounds: Bounds) {
    this.#network = network
    this.#bounds = bounds
    this.#workers = standby ? 2 : 1
  }

  async play(index: number, round: Round): Promise<readonly string[]> {
    this.#violations = []
    const onViolation = (what: string) => void this.#violations.push(what)
    await this.#startWorkers()
    const sinceMs = Date.now()
    for (const step of round) await this.#step(step)
    const lastBlockAtMs = Date.now()
    await this.#startWorkers()
    const isAtHead = await reachHead(this.#network, this.#bounds, lastBlockAtMs, onViolation)
    await measureWorkers(this.#network, this.#bounds, sinceMs, onViolation)
    const all = await registered(this.#network)
    const fresh = all.filter((each) => !this.#seen.has(keyOf(each)))
    this.#seen = new Set(all.map(keyOf))
    // Nothing more is learned from tables that the worker has not filled.
    if (isAtHead) {
      await this.#checkHonest(all)
      await readEverything(this.#network, fresh, new Random(index), onViolation)
      await compareWithReindex(this.#network, onViolation)
    }
    return this.#violations
  }

  async #startWorkers(): Promise<void> {
    while (this.#network.workers.length < this.#workers) await this.#network.startWorker()
  }

  async #step(step: Step): Promise<void> {
    const { rpc } = this.#network
    switch (step.do) {
      case 'block':
        return this.#block(step.actions)
      case 'empty blocks':
        return void (await rpc('anvil_mine', [hex(step.blocks)]))
      case 'reorganise':
        await rpc('anvil_rollback', [step.depth])
        return void (await rpc('anvil_mine', [hex(step.depth + 1)]))
      case 'stop':
        return this.#network.stopWorkers(step.signal)
      case 'start':
        return this.#startWorkers()
    }
  }

  async #block(actions: readonly Action[]): Promise<void> {
    const onViolation = (what: string) => void this.#violations.push(what)
    const pending: { kind: Registered['kind']; name: string }[] = []
    const written = new Map<Action, readonly Transaction[]>()
    // Honest ones are written first, because some attacks are on them; what is mined first is another matter.
    const order = [...actions].sort((a, b) => Number(a.do === 'attack') - Number(b.do === 'attack'))
    for (const action of order) {
      const options = { network: this.#network, catalogue: this.#catalogue, pending, onViolation }
      const scene = createScene({ ...options, id: action.id })
      if (action.do === 'honest') {
        const { transactions, named } = await honestTransactions(scene, action.what, this.#network.db)
        written.set(action, transactions)
        pending.push(...named)
      } else {
        const attack = ATTACKS.get(action.attack)
        if (attack === undefined) throw new Error(`no attack is called ${action.attack}`)
        written.set(action, await attack.build(scene, action.parameters))
      }
    }
    const front = actions.filter((action) => action.do === 'attack' && action.attack === 'squatter')
    const rest = actions.filter((action) => !front.includes(action))
    const transactions = [...front, ...rest].flatMap((action) => written.get(action) ?? [])
    for (const [i, transaction] of transactions.entries())
      await this.#send(transaction, HIGHEST_PRICE - i * 1_000)
    await this.#network.rpc('evm_mine')
  }

  async #send({ from, to, data, gas = 16_000_000, honest }: Transaction, price: number): Promise<void> {
    const { rpc } = this.#network
    await rpc('anvil_setBalance', [from, BALANCE])
    const transaction = { from, ...(to !== undefined && { to }), data, gas: hex(gas), gasPrice: hex(price) }
    try {
      const hash = (await rpc('eth_sendTransaction', [transaction])) as Hash
      if (honest === true) this.#honest.add(hash)
    } catch (error) {
      if (honest === true) this.#violations.push(`an honest transaction is refused: ${String(error)}`)
    }
  }

  /** Expects that honest publications of the chain are in the tables with everything that reads need. */
  async #checkHonest(all: readonly Registered[]): Promise<void> {
    const expected = all.filter(({ txHash }) => this.#honest.has(txHash))
    for (const { kind, name, address } of expected) {
      const [row] = await this.#network.db.sql<{ address: Address; artifact: Hex | null }[]>`
        select address, artifact_hash as artifact from entities where kind = ${kind} and name = ${name}`
      if (row === undefined) this.#violations.push(`the honest ${kind} ${name} is lost`)
      else if (row.address !== address || row.artifact === null) {
        this.#violations.push(`the honest ${kind} ${name} is stored as ${JSON.stringify(row)}`)
      }
    }
  }
}

function keyOf({ kind, name, txHash }: Registered): string {
  return `${kind}/${name}/${txHash}`
}
function hex(value: number): Hex {
  return `0x${value.toString(16)}`
}
