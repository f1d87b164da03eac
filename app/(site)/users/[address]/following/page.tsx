import { FollowsPage, type FollowsProps, followsMetadata } from '../_profile/follows-page.tsx'

export function generateMetadata(props: FollowsProps) {
  return followsMetadata(props, 'following')
}

export default function FollowingPage(props: FollowsProps) {
  return <FollowsPage {...props} direction="following" />
}
