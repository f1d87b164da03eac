import type { PlanAnswer, PlanRequest, PublicationsAnswer } from '../../../api/studio/publication-schemas.ts'
import { ask } from '../../wallet/session/requests.ts'

export type { PlanAnswer, PublicationsAnswer }

/** @throws Refusal, NoAnswer */
export async function askPlan(request: PlanRequest): Promise<PlanAnswer> {
  return (await ask('POST', '/studio/api/publication-plan', request)) as PlanAnswer
}

/** What the server noted of the publications of whoever is signed in. @throws Refusal, NoAnswer */
export async function askPublications(): Promise<PublicationsAnswer['publications']> {
  return ((await ask('GET', '/studio/api/publications')) as PublicationsAnswer).publications
}
