package guard_test

import (
	"testing"

	"tenet/core/call"
	"tenet/core/guard"
)

func TestRemovingWhatIsNotTheWorkspaces(t *testing.T) {
	holds(t, policy(), guard.Destructive, `
rm -rf /home/u/proj
rm -rf .
rm -rf ./
rm -r ~/proj
rm -R .
rm --recursive .
rm --rec --force .
rm -rf *
rm -rf ./* .[!.]*
rm -rf .*
rm -rf ~/proj/*
rm -rf ..
rm -rf ~
rm -rf /
rm -rf ~/*
rm -rf /home
rm -rf ../other
rm -rf ~/Documents
rm -rf build /etc
rm -rf -- ~/x
rm -rf .git
rm -rf ./.git/
rm -rf sub/.git
rm -rf .git/objects
rm -rf .g*
rm -rf */.git
rm -rf /tmp
rm -rf /tmp/*
rm -rf /usr/local/x
rm -rf ~/…
rm -rf /home/…/x
/bin/rm -rf ~/x
RM -rf ~/x
rm.exe -rf ~/x
@/ rm -rf home
@~ rm -rf proj
find . -delete
find ~/proj -delete
find -delete
find . -type f -delete
find . ! -name x -delete
find . -not -name x -delete
find . -name * -delete
find . -delete -name x
find . -name x -o -delete
find ~ -name x -delete
find / -name core -delete
find .git -name x -delete
find ~/x -exec rm -rf {} +
find . -exec rm {} ;
find . -exec /bin/rm {} ;
find -L ~/x -delete
fd -x rm
fd . ~/x -X rm -rf
shred secrets.txt
shred -u ~/x
shred -n 3 x
dd if=/dev/zero of=/home/u/x
dd of=../x
dd if=x of=/dev/sdb
truncate -s 0 ~/x
truncate -s0 /var/log/syslog
rsync -a --delete src/ ~/x
rsync -a --del src/ ~/x
rsync -a --delete-after src/ u@host:/srv
rsync -a --delete src/ .
wipefs -a /dev/sdb
blkdiscard /dev/sdb
crontab -r
crontab -u u -r
`, `
rm file
rm -f file
rm -f ~/x
rm -rf node_modules
rm -rf build dist
rm -rf ./target/debug
rm -rf build/*
rm -rf sub/.cache
rm -rf .github
rm -rf .gitlab
rm -rf .next
rm -rf /tmp/x
rm -rf /tmp/x/*
rm -rf /var/tmp/x
rm -rf /private/var/folders/ab/T/x
rm -rf ~/proj/build
rm -rf /tmp/clone/.git
rm -rf …
rm -rf ./…
rm -rf /tmp/…
rm -rf build-…
rm -d empty
rm -ri…
rmdir ~/x
find . -name *.o -delete
find . -name *.pyc -type f -delete
find . ( -name *.pyc -o -name *.pyo ) -delete
find build -delete
find build -type f -delete
find . -name x -exec rm {} ;
find . -name x
find / -name x
find ~ -exec grep x {} +
find /tmp/x -delete
find . -mtime +7 -delete
fd -e o -x rm
fd x -x rm
fd -x ls
shred /tmp/x
dd if=/dev/zero of=disk.img bs=1M count=1
dd if=x of=/dev/null
dd if=x
truncate -s 0 log.txt
truncate -s 0 /tmp/x
rsync -a src/ ~/x
rsync -an --delete src/ ~/x
rsync -a --delete src/ build/
rsync -a --delete src/ /tmp/x
wipefs /dev/sdb
wipefs -n -a /dev/sdb
crontab -l
echo rm -rf /
`)
}

func TestServicesThatForget(t *testing.T) {
	holds(t, policy(), guard.Destructive, `
docker system prune -a --volumes
docker system prune --volumes -f
docker system prune -af --volumes
docker --host x system prune --vol
docker volume prune
podman volume prune -f
kubectl delete ns prod
kubectl delete namespace/prod
kubectl -n x delete namespaces a b
kubectl delete pods --all
kubectl delete pods -A
kubectl delete all --all -n x
terraform destroy -auto-approve
terraform destroy --auto-approve
terraform -chdir=x destroy -auto-approve
terraform apply -destroy -auto-approve
tofu destroy -auto-approve=true
terragrunt run-all destroy --terragrunt-non-interactive
pulumi destroy --yes
pulumi destroy -y
dropdb app
dropdb -h x -U y app
psql -c DROP␣DATABASE␣app
psql -cdrop␣database␣app
psql -c select␣1;drop/*x*/schema␣public
mysql -e drop␣␣database␣app
mysql --execute=DROP␣DATABASE␣app
mysqladmin -u root drop app
mongosh --eval db.dropDatabase()
redis-cli FLUSHALL
redis-cli -n 1 flushdb
aws s3 rm s3://b --recursive
aws s3 rb s3://b --force
gsutil rm -r gs://b
gsutil -m rm -r gs://b
gcloud projects delete x
gh repo delete x
`, `
docker system df
docker system prune
docker system prune -a
docker image prune -a
docker volume ls
docker volume rm x
docker compose down
docker rm -f x
kubectl delete pod x
kubectl delete -f x.yaml
kubectl delete ns x --dry-run=client
kubectl get ns
kubectl get pods --all-namespaces
terraform plan -destroy
terraform destroy
terraform apply -auto-approve
terraform apply
terraform destroy -auto-approve=false
pulumi destroy
pulumi up --yes
dropdb --version
psql -c select␣1
psql -c drop␣table␣x
psql -c select␣'drop␣x'
mysql -e show␣databases
mysqladmin status
mongosh --eval db.x.find()
redis-cli get x
aws s3 ls
aws s3 rm s3://b/x
aws s3 rm s3://b --recursive --dryrun
gsutil ls
gcloud projects list
gh repo view
echo DROP␣DATABASE
grep DROP␣DATABASE x.sql
`)
}

// What the system says a word is counts, not how it is spelled: build is a link here.
func TestRemovingThroughALink(t *testing.T) {
	s := step("rm -rf build/")
	s.Commands[0].Words[2].Real = "/home/u"
	if b, _ := guard.Check(policy(), "bash", s); b.Rule != guard.Destructive {
		t.Errorf("blocked by %q", b.Rule)
	}
}

// In a directory that is not known a relative word leads nobody knows where; the
// rules ask about it.
func TestAnUnknownDirectory(t *testing.T) {
	s := step("rm -rf build")
	s.Commands[0].Dir = ""
	if b, hit := guard.Check(policy(), "bash", s); hit {
		t.Errorf("blocked by %q", b.Rule)
	}
}

// Further temporary directories and write roots are places to clean up in.
func TestPlacesToCleanUp(t *testing.T) {
	p := policy()
	p.Temps, p.WriteRoots = []string{"/scratch"}, []string{root, "/data/out"}
	holds(t, p, guard.Destructive, "rm -rf /data/out\nrm -rf /scratch\nrm -rf /data", "rm -rf /scratch/x\nrm -rf /data/out/x")
}

// Without a workspace every place is outside.
func TestNoWorkspace(t *testing.T) {
	holds(t, guard.Policy{}, guard.Destructive, "rm -rf build\nrm -rf /home/u", "rm -rf /tmp/x\ngit status")
}

func TestAStepThatCouldNotBePlanned(t *testing.T) {
	p := policy()
	p.Off = guard.Rules()
	b, hit := guard.Check(p, "bash", call.Step{Failed: "the parser gave up"})
	if !hit || b.Rule != guard.AnalyzerFailure || guard.MayBeOff(b.Rule) {
		t.Errorf("%+v, %v", b, hit)
	}
}
