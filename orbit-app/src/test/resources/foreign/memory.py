"""The most memory that fine-tuning torchvision's ResNet-50 takes in Python.

  memory.py BATCH STEPS FOLDER   (two threads, Adam, images in a folder for each class)

Prints the peak of the resident set in MB and seconds for each step.
"""

import glob
import resource
import sys
import time

import torch
import torchvision
from PIL import Image
from torchvision import transforms


def main(batch, steps, folder):
    torch.set_num_threads(2)
    torch.manual_seed(0)
    files = sorted(glob.glob(folder + "/*/*.jpg"))
    names = sorted({f.split("/")[-2] for f in files})
    change = transforms.Compose(
        [
            transforms.RandomResizedCrop(224),
            transforms.RandomHorizontalFlip(),
            transforms.ToTensor(),
            transforms.Normalize([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]),
        ]
    )
    net = torchvision.models.resnet50(num_classes=len(names)).train()
    optimiser = torch.optim.Adam(net.parameters(), lr=1e-4, weight_decay=5e-4)
    for step in range(steps):
        begin = time.time()
        chosen = [files[(step * batch + i) % len(files)] for i in range(batch)]
        x = torch.stack([change(Image.open(f).convert("RGB")) for f in chosen])
        y = torch.tensor([names.index(f.split("/")[-2]) for f in chosen])
        optimiser.zero_grad()
        torch.nn.functional.cross_entropy(net(x), y).backward()
        optimiser.step()
        print("step %d: %.1f s" % (step, time.time() - begin), flush=True)
    print("peak %.0f MB" % (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
