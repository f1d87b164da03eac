import type { Metadata } from 'next'
import { LESSONS, type LessonId } from '#lib/studio/lessons/catalog.ts'
import { LESSON_OF } from '#lib/studio/lessons/content/index.ts'
import { measure } from '#lib/ui/components/measure.ts'
import { ButtonLink } from '#lib/ui/kit/button.tsx'
import { textLink } from '#lib/ui/kit/link-style.ts'
import { Text } from '#lib/ui/studio/lessons/text.tsx'

export const metadata: Metadata = {
  title: 'Lessons',
  description:
    'Three short lessons in the studio itself: a piece of your own, where its numbers start, and publishing it.',
}

/** The texts of the lessons, which run in the studio. */
export default function LessonsPage() {
  return (
    <div className={`${measure} pt-10 pb-4`}>
      <h1 className="font-semibold text-2xl">Lessons</h1>
      <p className="mt-4 max-w-prose text-lg">
        They happen in the studio itself, step by step beside what you work on, and see what you really did.
        Nothing needs to be installed, no wallet either. Here they are to be read; the studio keeps your
        place.
      </p>
      <nav aria-label="Lessons" className="mt-6">
        <ol className="flex flex-wrap gap-x-6 gap-y-2">
          {LESSONS.map(({ id, title }) => (
            <li key={id}>
              <a className={textLink} href={`#${id}`}>
                {title}
              </a>
            </li>
          ))}
        </ol>
      </nav>
      {LESSONS.map(({ id, title, about, minutes }) => (
        <section key={id} aria-labelledby={id} className="mt-12 border-ink border-t-2 pt-4">
          <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
            <div>
              <h2 id={id} className="scroll-mt-6 font-semibold text-xl">
                {title}
              </h2>
              <p className="mt-1 max-w-prose text-ink-soft">
                {about} {minutes} minutes.
              </p>
            </div>
            <ButtonLink
              className="scripted"
              href={`/studio?lesson=${id}`}
              aria-label={`Begin in the studio: ${title}`}
            >
              Begin in the studio
            </ButtonLink>
          </div>
          <Steps id={id} />
        </section>
      ))}
    </div>
  )
}

function Steps({ id }: { id: LessonId }) {
  const plain = (role: string) => role
  const { steps, ending } = LESSON_OF[id]
  return (
    <>
      <ol className="mt-6 grid gap-x-10 gap-y-6 md:grid-cols-2">
        {steps(plain, plain).map(({ title, text }, index) => (
          <li key={title} className="min-w-0">
            <h3 className="font-semibold">
              <span className="mono mr-2 text-accent">{index + 1}</span>
              {title}
            </h3>
            <div className="mt-1 space-y-2 text-sm">
              {text.map((paragraph) => (
                <Text key={paragraph}>{paragraph}</Text>
              ))}
            </div>
          </li>
        ))}
      </ol>
      <div className="mt-6 max-w-prose space-y-2 border-line border-l-2 pl-4 text-sm">
        {ending.map((paragraph) => (
          <Text key={paragraph}>{paragraph}</Text>
        ))}
      </div>
    </>
  )
}
