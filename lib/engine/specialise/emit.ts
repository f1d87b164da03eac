import { formula, test } from './formula.ts'
import { type Edge, edgesOf, type Node, neededTerms, type Shape, shapeOf } from './graph.ts'
import { isConstantTable } from './tables.ts'
import { type Facts, type Term, Unspecialised, type Value } from './value.ts'

const MOST_TEXT = 200_000

/** Loops settle with the budget whenever they counted so far; taking from it every time would cost more than they do. */
const CHUNK = 255

/**
 * The text of a function `(x, budget, ...parameters) => value` that computes the blocks. It consists of generated names
 * and number literals, and contains nothing from the code.
 */
export function emit(root: Node, x: Term, parameters: readonly Term[]): string {
  return new Emission(root, x, parameters).text()
}

class Emission {
  readonly #shape: Shape
  readonly #needed: ReadonlySet<Term>
  readonly #x: Term
  readonly #parameters: readonly Term[]
  readonly #tables = new Map<string, string>()
  readonly #declared = new Set<string>()
  /** Names are numbered as they come, so that the same code has the same text. */
  readonly #names = new Map<Term | Node, number>()
  #lines: string[] = []
  #length = 0

  constructor(root: Node, x: Term, parameters: readonly Term[]) {
    this.#shape = shapeOf(root)
    this.#needed = neededTerms([...this.#shape.order.keys()])
    this.#x = x
    this.#parameters = parameters
  }

  text(): string {
    const parameters = this.#parameters.map((parameter) => `,${this.#name(parameter)}`).join('')
    this.#tree(this.#shape.root, new Set([this.#x, ...this.#parameters]))
    if (this.#shape.loops.size > 0) this.#declared.add('n')
    const variables =
      this.#declared.size === 0 ? '' : `let ${[...this.#declared].map((name) => `${name}=0`).join()}\n`
    const body = `(x,budget${parameters})=>{\nx=x>>>0\n${variables}${this.#lines.join('\n')}\n}`
    if (this.#tables.size === 0) return body
    const tables = [...this.#tables].map(([list, name]) => `const ${name}=[${list}]`).join('\n')
    return `(()=>{\n${tables}\nreturn ${body}\n})()`
  }

  #line(text: string): void {
    this.#length += text.length
    if (this.#length > MOST_TEXT) throw new Unspecialised('much code')
    this.#lines.push(text)
  }

  /** A block and all that is reached only through it. `ready` are the terms computed so far. */
  #tree(node: Node, ready: Set<Term>): void {
    const { children, meetings, loops, order } = this.#shape
    const met = children
      .get(node)!
      .filter((child) => meetings.has(child))
      .sort((a, b) => order.get(b)! - order.get(a)!)
    if (!loops.has(node)) {
      this.#within(node, met, ready)
      return
    }
    this.#hoist(node, ready)
    this.#line(
      `L${this.#number(node)}:for(;;){\nif((n+=${loops.get(node)})>${CHUNK}){if((budget.steps-=n)<0)h.exceeded(budget);n=0}`,
    )
    this.#within(node, met, ready)
    this.#line('}')
  }

  /** Computes before a loop what code had computed before it. */
  #hoist({ entry }: Node, ready: Set<Term>): void {
    const { stack, memory, facts } = entry!
    const values = [
      ...stack,
      ...memory.scratch.map(({ word }) => word),
      ...memory.free.map(({ word }) => word),
    ]
    for (const value of values) {
      if (value.kind === 'term' && value.op !== 'VARIABLE' && this.#needed.has(value))
        this.#value(value, facts, ready)
    }
  }

  #within(node: Node, met: readonly Node[], ready: Set<Term>): void {
    const [last, ...others] = met
    if (last !== undefined) {
      this.#line(`M${this.#number(last)}:{`)
      this.#within(node, others, ready)
      this.#line('}')
      this.#tree(last, new Set(ready))
      return
    }
    const { exit } = node
    const facts = node.facts!
    switch (exit?.kind) {
      case 'returned':
        this.#return(this.#value(exit.value, facts, ready))
        return
      case 'jump':
        this.#go(node, exit.edge, new Set(ready))
        return
      case 'branch': {
        const holds = !this.#isLong(exit.then)
        const [inner, outer] = holds ? [exit.then, exit.otherwise] : [exit.otherwise, exit.then]
        const condition = test(exit.condition, holds, this.#scope(facts, ready))
        this.#line(`if(${condition}){`)
        this.#go(node, inner, new Set(ready))
        this.#line('}')
        this.#go(node, outer, new Set(ready))
        return
      }
      default:
        this.#return('-1')
    }
  }

  #return(text: string): void {
    const settled = this.#shape.loops.size === 0 ? '' : 'budget.steps-=n;'
    this.#line(`${settled}return ${text}`)
  }

  /** Long ways stay outside of braces. */
  #isLong({ to }: Edge): boolean {
    return edgesOf(to.exit).length > 0
  }

  #go(from: Node, edge: Edge, ready: Set<Term>): void {
    const { to } = edge
    const { order, meetings } = this.#shape
    this.#assign(edge, ready)
    if (order.get(to)! <= order.get(from)!) this.#line(`continue L${this.#number(to)}`)
    else if (meetings.has(to)) this.#line(`break M${this.#number(to)}`)
    else this.#tree(to, ready)
  }

  /** Sets the variables of the block that an edge leads to, all at once. */
  #assign({ to, state }: Edge, ready: Set<Term>): void {
    const targets = [...to.variables.bySlot].filter(([, variable]) => this.#needed.has(variable))
    const names = new Set(targets.map(([, variable]) => this.#name(variable)))
    const moves = targets
      .map(([slot, variable]) => ({
        name: this.#name(variable),
        text: this.#value(to.variables.valueFrom(state, slot), state.facts, ready),
      }))
      .filter(({ name, text }) => name !== text)
    for (const { name } of moves) this.#declared.add(name)
    const entangled = moves.length > 1 && moves.some(({ text }) => names.has(text))
    if (!entangled) {
      for (const { name, text } of moves) this.#line(`${name}=${text}`)
      return
    }
    for (const { name, text } of moves) {
      this.#declared.add(`n${name}`)
      this.#line(`n${name}=${text}`)
    }
    for (const { name } of moves) this.#line(`${name}=n${name}`)
  }

  #scope(facts: Facts, ready: Set<Term>) {
    return {
      facts,
      value: (value: Value) => this.#value(value, facts, ready),
      isReady: (term: Term) => ready.has(term),
      table: (term: Term) => this.#table(term),
    }
  }

  /** The text of a value, after the lines that compute it. */
  #value(value: Value, facts: Facts, ready: Set<Term>): string {
    if (value.kind === 'constant') return typeof value.word === 'number' ? `${value.word}` : `${value.word}n`
    if (value.kind !== 'term') throw new Unspecialised('the layout of the call')
    if (value === this.#x) return 'x'
    if (value.op === 'RAW') throw new Unspecialised('bits of x above 32')
    const name = this.#name(value)
    if (value.op === 'VARIABLE' || ready.has(value)) return name
    const text = formula(value, this.#scope(facts, ready))
    this.#declared.add(name)
    this.#line(`${name}=${text}`)
    ready.add(value)
    return name
  }

  #name(term: Term): string {
    return `v${this.#number(term)}`
  }

  #number(thing: Term | Node): number {
    const number = this.#names.get(thing)
    if (number !== undefined) return number
    this.#names.set(thing, this.#names.size)
    return this.#names.size - 1
  }

  #table(term: Term): string {
    if (!isConstantTable(term)) throw new Error('Not a constant table')
    const list = term
      .entries!.map((entry) => {
        const word = entry.kind === 'constant' ? entry.word : 0
        return typeof word === 'number' ? `${word}` : `${word}n`
      })
      .join()
    const name = this.#tables.get(list) ?? `T${this.#tables.size}`
    this.#tables.set(list, name)
    return name
  }
}
