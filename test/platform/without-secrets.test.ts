import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'

/* The programs of an installation, started as its units do, by somebody who forgot the secrets. */

test.each(['scripts/site.ts', 'worker/main.ts'])(
  '%s does not start without secrets, and says which',
  async (program) => {
    const ended = await new Promise<{ code: unknown; errors: string }>((resolve) => {
      const env = {
        PATH: process.env.PATH,
        NODE_ENV: 'production' as const,
        DATABASE_URL: 'postgres://weft:pw@127.0.0.1:9/weft',
        SESSION_KEY: ' ',
      }
      execFile(process.execPath, [program], { env }, (error, _, errors) =>
        resolve({ code: error?.code, errors }),
      )
    })
    const how = 'is missing: set it to the output of `openssl rand -hex 32`, or use `npm start`'
    expect(ended).toEqual({
      code: 1,
      errors: `The configuration is not usable:\n  CHAIN_TOKEN_KEY ${how}\n  SESSION_KEY ${how}\n`,
    })
  },
)
