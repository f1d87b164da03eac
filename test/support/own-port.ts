import { nextFreePort } from '#scripts/stack/ports.ts'

/** Above the ports that `program.ts` reserves, below those that systems choose themselves. */
const FIRST = 30_000
const [PROCESSES, PORTS_OF_ONE] = [130, 20]

let next = FIRST + (process.pid % PROCESSES) * PORTS_OF_ONE

/** A free port for a program that listens there only in a while: no system chooses it for another meanwhile. */
export async function ownPort(): Promise<number> {
  const port = await nextFreePort(next)
  next = port + 1
  return port
}
