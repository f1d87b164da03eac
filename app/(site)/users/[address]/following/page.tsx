import { FollowsPage, type FollowsProps, followsMetadata } from '../_profile/follows-page.tsx'

export const generateMetadata = (props: FollowsProps) => followsMetadata(props, 'following')

export default function FollowingPage(props: FollowsProps) {
  return <FollowsPage {...props} direction="following" />
}
