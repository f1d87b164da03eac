import { isEntityName } from './names.ts'
import { carriedNames, type OfferedConnector, type WorldNeeds } from './world-compatibility.ts'

/*
 * A World for several connectors has a slot for each, named by default like the connector that feeds it.
 */

export interface SlotChoice {
  readonly slot: string
  /** Name of a connector. */
  readonly connector: string
}

export interface BoundSlot {
  readonly slot: string
  readonly optional: boolean
  /** Connector that feeds it; undefined for an optional slot that nothing feeds. */
  readonly connector: string | undefined
  /** Whether the connector that feeds the World as a whole feeds the slot too. */
  readonly itself: boolean
  readonly chosen: boolean
}

/** One of a World's connector sets with what feeds its slots. */
export interface BoundSet {
  /** Among the sets of the manifest. */
  readonly index: number
  readonly slots: readonly BoundSlot[]
}

/** Limit of slots: a manifest could otherwise cause hundreds of runs at once. */
export const MAX_SLOTS = 8

/** The connector that feeds a World as a whole, as far as its slots need it. */
export interface Primary {
  readonly name: string
  /** Names of slots whose values it provides. */
  readonly carries: readonly string[]
}

/** Returns the labels of the scalars that paths end at, once each. */
export function scalarsOf(streams: readonly { readonly path: string }[]): readonly string[] {
  return [...new Set(streams.map(({ path }) => path.slice(path.lastIndexOf('/') + 1)))]
}

export function primaryOf(connector: Pick<OfferedConnector, 'name' | 'scalars'>, needs: WorldNeeds): Primary {
  const carried = carriedNames(connector)
  const names = needs.acceptedConnectorSets.flatMap((set) => [...set.connectors, ...set.optionalConnectors])
  return { name: connector.name, carries: [...new Set(names)].filter((name) => carried.has(name)) }
}

/**
 * What feeds the slots of the set that lacks least: the choice, else the connector itself where it carries the values,
 * else the connector of the slot's name. A connector that carries nothing of the set feeds the first slot; optional
 * slots stay empty unless they are carried or chosen.
 *
 * @returns undefined for a World that has no set of several.
 */
export function boundSet(
  { acceptedConnectorSets: sets }: WorldNeeds,
  { name, carries }: Primary,
  choices: readonly SlotChoice[],
): BoundSet | undefined {
  const carried = new Set(carries)
  const lacks = sets.map(({ connectors }) =>
    connectors.some((slot) => carried.has(slot))
      ? connectors.filter((slot) => !carried.has(slot)).length
      : Number.POSITIVE_INFINITY,
  )
  const index = lacks.indexOf(Math.min(...lacks))
  const set = sets[index]
  if (set === undefined) return undefined
  const required = new Set(set.connectors)
  const slots = [...new Set([...set.connectors, ...set.optionalConnectors])]
    .filter(isEntityName)
    .slice(0, MAX_SLOTS)
  if (slots.length < 2) return undefined
  const none = slots.every((slot) => !carried.has(slot))
  return {
    index,
    slots: slots.map((slot, place) => {
      const optional = !required.has(slot)
      const choice = choices.find((each) => each.slot === slot)?.connector
      const own = carried.has(slot) || (none && place === 0) ? name : optional ? undefined : slot
      const connector = choice ?? own
      return { slot, optional, connector, itself: connector === name, chosen: choice !== undefined }
    }),
  }
}

/** Connectors besides the World's own that have to be run for its slots. */
export function othersOf(set: BoundSet | undefined): readonly string[] {
  const names = set?.slots.flatMap(({ connector, itself }) => (connector && !itself ? [connector] : [])) ?? []
  return [...new Set(names)]
}

/** Choices with one more in place of what was chosen for its slot; an empty name takes that back. */
export function withChoice(choices: readonly SlotChoice[], choice: SlotChoice): readonly SlotChoice[] {
  const others = choices.filter(({ slot }) => slot !== choice.slot)
  return choice.connector === '' ? others : [...others, choice]
}

/** `time:clock,velocity:loud`, as in a URL. */
export function writeSlots(choices: readonly SlotChoice[]): string {
  return choices.map(({ slot, connector }) => `${slot}:${connector}`).join(',')
}

/** @returns undefined for what is no list of choices, once each. */
export function readSlots(text: string): readonly SlotChoice[] | undefined {
  const choices = text.split(',', MAX_CHOICES + 1).map((part) => {
    const [slot = '', connector = '', ...more] = part.split(':', 3)
    return { slot, connector, good: more.length === 0 && isEntityName(slot) && isEntityName(connector) }
  })
  const slots = new Set(choices.map(({ slot }) => slot))
  if (choices.length > MAX_CHOICES || slots.size < choices.length || !choices.every(({ good }) => good)) {
    return undefined
  }
  return choices.map(({ slot, connector }) => ({ slot, connector }))
}

const MAX_CHOICES = 32
