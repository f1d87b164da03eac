import { describe, expect, inject, it } from 'vitest'

interface Particles {
  readonly path: string
  readonly data: readonly number[]
}

const { chainApi } = inject('endpoints')

async function run(
  operation: 'simulate' | 'execute',
  connector: string,
  count: number,
): Promise<{ status: number; body: unknown }> {
  const response = await fetch(`${chainApi}/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ connector_name: connector, particles_count: count }),
  })
  return { status: response.status, body: await response.json() }
}

async function simulate(connector: string, count: number): Promise<readonly Particles[]> {
  const { status, body } = await run('simulate', connector, count)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as Particles[]
}

async function execute(connector: string, count: number): Promise<readonly Particles[]> {
  const { status, body } = await run('execute', connector, count)
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
  return (body as { particles: Particles[] }).particles
}

describe('example network', () => {
  it.each(['tutorial_threshold_pass_v1', 'tutorial_divisible_pass_v1'])(
    '%s selects every second pitch',
    async (name) => {
      const expected = [{ path: `/${name}:0/pitch:0`, data: [60, 62, 64, 66, 68] }]
      expect(await simulate(name, 5)).toEqual(expected)
      expect(await execute(name, 5)).toEqual(expected)
    },
  )

  it.each(['tutorial_threshold_fail_v1', 'tutorial_divisible_fail_v1'])('%s is not met', async (name) => {
    for (const operation of ['simulate', 'execute'] as const) {
      const { status, body } = await run(operation, name, 5)
      expect(status).toBe(400)
      expect((body as { message: string }).message).toBe('Execution rejected: Condition not met')
    }
  })

  it('has musical connectors that stay in the range of their instruments', async () => {
    for (const name of ['nocturne', 'weave']) {
      const particles = await simulate(name, 500)
      expect(particles).toHaveLength(3)
      for (const { path, data } of particles) {
        const highest = /time:0$/.test(path) ? 3 * data.length : 127
        expect(Math.max(...data)).toBeLessThanOrEqual(highest)
      }
    }
  })

  it('returns the same 65,536 particles from the simulator and from the chain', async () => {
    for (const name of ['nocturne', 'weave', 'pitch']) {
      const simulated = await simulate(name, 65_536)
      expect(simulated[0]?.data).toHaveLength(65_536)
      expect(await execute(name, 65_536)).toEqual(simulated)
    }
  })
})
