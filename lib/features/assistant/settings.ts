import { list, origin } from '#lib/platform/config-checks.ts'
import { env, featureSettings } from '#lib/platform/setting.ts'

/** Hosted APIs, and the usual ports of models on the reader's own machine: Ollama, LM Studio, llama.cpp, vLLM. */
const DEFAULT_ENDPOINTS = [
  'https://api.anthropic.com',
  'https://api.openai.com',
  ...[11434, 1234, 8080, 8000].flatMap((port) => [`http://localhost:${port}`, `http://127.0.0.1:${port}`]),
]

export const assistantSettings = featureSettings('assistant', {
  /** Origins that the studio's page may connect to for its assistant. Empty: no assistant. */
  endpoints: env('ASSISTANT_ENDPOINTS', list(origin).default(DEFAULT_ENDPOINTS), { takesEmpty: true }),
})

/** Parses the setting of an environment that was not checked; none where it is invalid. */
export function parseEndpoints(text: string | undefined): readonly string[] {
  return assistantSettings.table.endpoints.check.safeParse(text?.trim()).data ?? []
}
